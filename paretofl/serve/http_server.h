#pragma once

#include <functional>
#include <memory>
#include <string>

#include "paretofl/serve/http_exchange.h"

namespace paretofl {

/// An HTTP/1.1 server with one request per connection and a thread for each, in bounds: so many connections, bytes and seconds for the head
/// of a request, and seconds that a client may take no byte of its answer. What is no request is answered with 400.
class HttpServer {
 public:
  static constexpr int kMaxConnections = 128;  ///< further ones are closed with 503
  static constexpr std::size_t kMaxHead = 16 << 10;

  /// Called by several threads at once. What it throws is answered with 500.
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  /// Listens on host and port; port 0 is a free one. Throws Error where it can't.
  HttpServer(const std::string& host, int port, Handler handler);
  /// Takes no further requests and waits for the answers that are under way; streams must have ended or end now.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;

 private:
  class Connections;
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace paretofl
