#include "paretofl/federation/party_socket.h"

#include <sys/stat.h>
#include <sys/un.h>

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/redirect_error.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <csignal>

#include "paretofl/core/error.h"
#include "paretofl/wire/frames.h"

namespace paretofl {
namespace {

using Protocol = asio::local::stream_protocol;

asio::awaitable<void> serve_connection(LocalSocket socket, const Answerer& answer) {
  try {
    for (;;) co_await write_frame(socket, answer(co_await read_frame(socket)));
  } catch (const std::system_error&) {  // the other side is gone; it asks again where it still wants an answer
  } catch (const std::bad_alloc&) {     // the same to it
  }
}

asio::awaitable<void> accept_connections(Protocol::acceptor& acceptor, const Answerer& answer) {
  for (;;) {
    LocalSocket socket(acceptor.get_executor());
    asio::error_code error;
    co_await acceptor.async_accept(socket, asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::no_descriptors) {  // until others close theirs
      asio::steady_timer pause(acceptor.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    if (error) throw std::system_error(error);
    asio::co_spawn(acceptor.get_executor(), serve_connection(std::move(socket), answer), asio::detached);
  }
}

/// Whether a process listens there, or may: only a refused connection shows that none does.
bool is_listened_on(asio::io_context& context, const Protocol::endpoint& endpoint) {
  LocalSocket probe(context);
  asio::error_code error;
  probe.connect(endpoint, error);
  return error != asio::error::connection_refused;
}

void remove_left_socket(asio::io_context& context, const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (!std::filesystem::exists(status)) return;
  expect(std::filesystem::is_socket(status), "socket: expected {} to be absent or a socket, found something else", path.string());
  expect(!is_listened_on(context, {path.string()}), "socket: expected no other process to listen on {}, found one", path.string());
  std::filesystem::remove(path, error);
}

}  // namespace

int serve_party_socket(const std::filesystem::path& path, const Answerer& answer, const std::function<void()>& on_ready) {
  constexpr std::size_t kLongest = sizeof(sockaddr_un::sun_path) - 1;
  expect(!path.empty() && path.string().size() <= kLongest, "socket: expected a path of 1 to {} bytes, found {}: {}", kLongest,
         path.string().size(), path.string());
  asio::io_context context(1);
  remove_left_socket(context, path);
  Protocol::acceptor acceptor(context);
  try {
    acceptor.open();
    // Nobody may connect between bind and chmod.
    const mode_t mask = ::umask(0177);
    asio::error_code error;
    acceptor.bind({path.string()}, error);
    ::umask(mask);
    if (error) throw std::system_error(error);
    acceptor.listen();
  } catch (const std::system_error& failure) {
    throw Error(fmt::format("socket: expected to listen on {}, found: {}", path.string(), failure.code().message()));
  }
  asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
  int ended_by = 0;
  signals.async_wait([&](const asio::error_code& error, int signal) {
    if (error) return;
    ended_by = signal;
    context.stop();
  });
  asio::co_spawn(context, accept_connections(acceptor, answer), [](const std::exception_ptr& failure) {
    if (failure) std::rethrow_exception(failure);
  });
  on_ready();
  try {
    context.run();
  } catch (const std::system_error& failure) {
    throw Error(fmt::format("socket: expected to take connections on {}, found: {}", path.string(), failure.code().message()));
  }
  // Before the socket closes: afterwards the path may be another process's.
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  acceptor.close();
  return ended_by;
}

}  // namespace paretofl
