#include "paretofl/serve/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/serve/answer_stream.h"
#include "paretofl/serve/request_head.h"

namespace paretofl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kHeadMilliseconds = 10000;   // for all of a request's head
constexpr int kWriteMilliseconds = 10000;  // without a byte taken
constexpr int kLingerMilliseconds = 200;   // for the rest of a refused request, so that its sender still gets the answer

void refuse(int socket, std::string_view status) {
  const std::string answer = fmt::format("HTTP/1.1 {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status);
  [[maybe_unused]] const ssize_t sent = ::send(socket, answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Ends a connection. A socket that is closed with unread bytes takes the answer away from its receiver, so a few are read.
void end_connection(int socket) {
  ::shutdown(socket, SHUT_WR);
  std::array<char, 16 << 10> rest{};
  pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
  for (int i = 0; i < 16 && ::poll(&ready, 1, kLingerMilliseconds) > 0; ++i) {
    if (::recv(socket, rest.data(), rest.size(), MSG_DONTWAIT) <= 0) break;
  }
  ::close(socket);
}

/// Up to the empty line that ends the head; empty where the client closed, took too long or sent too much.
std::string read_head(int socket) {
  std::string head;
  const auto end = Clock::now() + std::chrono::milliseconds(kHeadMilliseconds);
  std::array<char, 4096> buffer{};
  while (head.size() < HttpServer::kMaxHead) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
    const int found = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) return "";
    const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return "";
    const std::size_t from = head.size() < 3 ? 0 : head.size() - 3;
    head.append(buffer.data(), static_cast<std::size_t>(count));
    if (const std::size_t blank = head.find("\r\n\r\n", from); blank != std::string::npos) return head.substr(0, blank + 4);
  }
  return head;
}

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.path = from.path;
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  request.host = from.get_header_value("Host");
  request.authorization = from.get_header_value("Authorization");
  request.last_event_id = from.get_header_value("Last-Event-ID");
  return request;
}

void write_answer(const HttpAnswer& answer, httplib::Response& to) {
  to.status = answer.status;
  for (const auto& [name, value] : answer.headers) to.set_header(name, value);
  if (answer.stream) {
    to.set_content_provider(answer.type, [stream = answer.stream](std::size_t, httplib::DataSink& sink) {
      const std::optional<std::string> part = stream();
      return part && sink.write(part->data(), part->size());
    });
  } else if (answer.body && !answer.body->empty()) {
    to.set_content_provider(answer.body->size(), answer.type,
                            [body = answer.body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                              return sink.write(body->data() + offset, length);
                            });
  }
}

}  // namespace

/// A thread for each connection, and no more than so many.
class HttpServer::Connections : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> serve) override {
    {
      std::unique_lock lock(mutex_);
      if (open_ >= kMaxConnections) {
        lock.unlock();
        refusing = true;
        serve();
        refusing = false;
        return;
      }
      ++open_;
    }
    try {
      std::thread([this, serve = std::move(serve)] {
        serve();
        const std::lock_guard lock(mutex_);
        --open_;
        closed_.notify_all();
      }).detach();
    } catch (const std::system_error&) {  // no thread left
      const std::lock_guard lock(mutex_);
      --open_;
    }
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    while (open_ > 0) closed_.wait_for(lock, std::chrono::milliseconds(100));
  }

  static thread_local bool refusing;  ///< there are too many connections

 private:
  std::mutex mutex_;
  std::condition_variable closed_;
  int open_ = 0;
};

thread_local bool HttpServer::Connections::refusing = false;

class HttpServer::Listener : private httplib::Server {
 public:
  Listener(const std::string& host, int port, HttpServer::Handler handle) {
    new_task_queue = [] { return new Connections; };
    set_keep_alive_max_count(1);
    // Not the library's choice, by which two servers may share a port.
    set_socket_options([](int socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_pre_routing_handler([handle = std::move(handle)](const httplib::Request& request, httplib::Response& response) {
      try {
        write_answer(handle(request_of(request)), response);
      } catch (const std::exception& error) {
        warn("serve: {}", explanation(error));
        response.status = 500;
      }
      return HandlerResponse::Handled;
    });
    errno = 0;
    port_ = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    expect(port_ > 0, "serve: expected to listen on {}, port {}, found: {}", host, port,
           errno == 0 ? "no such address" : std::strerror(errno));
    ::listen(svr_sock_, kMaxConnections);  // the library lets five wait, so that of a crowd some would try again a second later
    thread_ = std::thread([this] { listen_after_bind(); });
  }

  ~Listener() override {
    // The descriptor is closed only after the thread that may still use it has ended.
    const int socket = svr_sock_.exchange(INVALID_SOCKET);
    if (socket != INVALID_SOCKET) ::shutdown(socket, SHUT_RDWR);
    thread_.join();
    if (socket != INVALID_SOCKET) ::close(socket);
  }

  int port() const { return port_; }

 private:
  bool process_and_close_socket(int socket) override {
    if (Connections::refusing) {
      refuse(socket, "503 Service Unavailable");
      ::close(socket);
      return false;
    }
    try {
      serve_request(socket);
    } catch (const std::exception& error) {
      warn("serve: {}", explanation(error));
    }
    end_connection(socket);
    return true;
  }

  void serve_request(int socket) {
    const std::string head = read_head(socket);
    if (head.empty()) return;
    const std::optional<std::string> used = used_head(head);
    if (!used) return refuse(socket, head.size() < kMaxHead ? "400 Bad Request" : "431 Request Header Fields Too Large");
    AnswerStream stream(*used, socket, kWriteMilliseconds);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
  }

  int port_ = -1;
  std::thread thread_;
};

HttpServer::HttpServer(const std::string& host, int port, Handler handler)
    : listener_(std::make_unique<Listener>(host, port, std::move(handler))) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return listener_->port(); }

}  // namespace paretofl
