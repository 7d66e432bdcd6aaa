#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "paretofl/serve/http_server.h"
#include "paretofl/serve/run_watch.h"

namespace paretofl {

struct LiveServerOptions {
  std::filesystem::path folder;  ///< a run directory, or a folder of them
  std::string host = "127.0.0.1";
  int port = 0;       ///< 0: a free one
  std::string token;  ///< empty: none, on a loopback address only
  std::chrono::milliseconds poll_interval{500};
  std::chrono::milliseconds heartbeat{15000};
  bool patient = true;  ///< whether the page's data may lag behind, see WatchedRun::page
};

/// Shows runs as they go, over HTTP, and changes nothing: `GET /` is the page, `/api/runs` and `/api/runs/NAME` its data, with
/// `/api/runs/NAME/events` for what follows (event_stream.h), and `/metrics` is for Prometheus. Works until it is destroyed.
class LiveServer {
 public:
  static constexpr int kMaxViewers = 64;  ///< streams of events; further ones get 503

  /// Throws Error where there is no folder, where it cannot listen, or where another host than a loopback address has no token.
  explicit LiveServer(const LiveServerOptions& options);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  int port() const { return server_->port(); }
  /// Of the page, such as http://127.0.0.1:8000/.
  std::string address() const;

 private:
  HttpAnswer answer(const HttpRequest& request);
  HttpAnswer events(const HttpRequest& request, const std::shared_ptr<WatchedRun>& run);
  HttpAnswer page() const;
  std::string prometheus() const;

  const LiveServerOptions options_;
  const bool loopback_;
  RunWatch watch_;
  std::atomic<int> viewers_ = 0;
  std::unique_ptr<HttpServer> server_;
  std::thread poller_;
};

}  // namespace paretofl
