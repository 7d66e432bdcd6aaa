#include "paretofl/runtimes/sockets.h"

#include <fmt/format.h>

#include <asio/co_spawn.hpp>
#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/parties.h"
#include "paretofl/wire/frames.h"

namespace paretofl {
namespace {

using Clock = std::chrono::steady_clock;
using Protocol = asio::local::stream_protocol;

constexpr std::string_view kClient = "{client}";
constexpr int kLost = 100;  // connections that end before the reply: after so many, the request itself may be what ends the process
constexpr std::size_t kAtOnce = 256;  // connections; a process may often have 1024 files open

class SocketsRuntime : public PartiesRuntime {
 public:
  explicit SocketsRuntime(const RuntimeOptions& options)
      : PartiesRuntime(options),
        sockets_(options.sockets),
        patience_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.reconnect_seconds))) {}

  void begin(const RunIdentity& identity) override {
    expect(identity.num_clients <= 1 || sockets_.find(kClient) != std::string::npos,
           "runtime.sockets: expected {} in the path, in the place of a client's number, found {}", kClient, sockets_);
    PartiesRuntime::begin(identity);
  }

 protected:
  void carry(PartyExchange& exchange) override {
    if (exchange.over()) return;  // with nobody to ask, the deadline would be waited for
    asio::io_context context(1);
    std::size_t next = 0;
    for (std::size_t i = 0; i < std::min(exchange.size(), kAtOnce); ++i) {
      asio::co_spawn(context, ask_those_left(exchange, next), [](const std::exception_ptr& failure) {
        if (failure) std::rethrow_exception(failure);
      });
    }
    asio::steady_timer deadline(context);
    if (exchange.deadline()) {
      deadline.expires_after(std::chrono::ceil<Clock::duration>(*exchange.deadline()));
      deadline.async_wait([&](const asio::error_code&) { stop_if_over(exchange, context); });
    }
    context.run();
  }

 private:
  std::string path_of(int client) const {
    std::string path = sockets_;
    for (auto place = path.find(kClient); place != std::string::npos; place = path.find(kClient)) {
      path.replace(place, kClient.size(), std::to_string(client));
    }
    return path;
  }

  /// Late replies are not read: the connections end.
  static void stop_if_over(PartyExchange& exchange, asio::io_context& context) {
    if (exchange.over()) context.stop();
  }

  /// Takes one client after the other until none is left.
  asio::awaitable<void> ask_those_left(PartyExchange& exchange, std::size_t& next) {
    while (next < exchange.size()) {
      co_await ask(exchange, next++);
      stop_if_over(exchange, static_cast<asio::io_context&>((co_await asio::this_coro::executor).context()));
    }
  }

  asio::awaitable<void> ask(PartyExchange& exchange, std::size_t index) {
    const std::string path = path_of(exchange.client(index));
    const std::vector<std::byte> request = exchange.request(index);
    asio::steady_timer pause(co_await asio::this_coro::executor);
    auto wait = std::chrono::milliseconds(20);
    int lost = 0;
    for (auto last_seen = Clock::now();;) {
      std::string failure;
      try {
        LocalSocket socket(co_await asio::this_coro::executor);
        co_await socket.async_connect(Protocol::endpoint(path), asio::use_awaitable);
        last_seen = Clock::now();
        ++lost;  // unless the reply comes
        co_await write_frame(socket, request);
        const std::vector<std::byte> reply = co_await read_frame(socket);
        exchange.answered(index, reply);
        co_return;
      } catch (const std::system_error& error) {
        failure = error.code().message();
      }
      if (lost >= kLost) {
        exchange.failed(index, fmt::format("has ended {} connections at {} before its reply: {}", lost, path, failure));
        co_return;
      }
      if (Clock::now() - last_seen > patience_) {
        exchange.failed(index, fmt::format("can't be reached at {}: {}", path, failure));
        co_return;
      }
      pause.expires_after(wait);
      co_await pause.async_wait(asio::use_awaitable);
      wait = std::min(2 * wait, std::chrono::milliseconds(1000));
    }
  }

  std::string sockets_;
  Clock::duration patience_;
};

}  // namespace

std::unique_ptr<Runtime> make_sockets_runtime(const RuntimeOptions& options, ThreadPool&, const ClientFactory&) {
  expect(!options.sockets.empty(),
         "runtime.sockets: expected the path of the clients' sockets, such as /run/paretofl/client-{}, found none", kClient);
  return std::make_unique<SocketsRuntime>(options);
}

}  // namespace paretofl
