#include "paretofl/serve/live_server.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/report/html_report.h"
#include "paretofl/serve/access.h"
#include "paretofl/serve/event_stream.h"
#include "paretofl/serve/prometheus_text.h"
#include "paretofl/serve/route.h"

namespace paretofl {
namespace {

std::string value_of(const HttpRequest& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

HttpAnswer refusal(int status, const std::string& reason) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(json_text(nlohmann::json{{"error", reason}}));
  return answer;
}

HttpAnswer of_text(std::shared_ptr<const std::string> text, std::string type = "application/json") {
  HttpAnswer answer;
  answer.type = std::move(type);
  answer.body = std::move(text);
  return answer;
}

/// 128 bits that nobody can guess, for the scripts of one answer.
std::string random_digits() {
  std::random_device bits;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", bits(), bits(), bits(), bits());
}

bool has_policy(const HttpAnswer& answer) {
  for (const auto& [name, value] : answer.headers) {
    if (name == "Content-Security-Policy") return true;
  }
  return false;
}

}  // namespace

LiveServer::LiveServer(const LiveServerOptions& options)
    : options_(options),
      loopback_(is_loopback(options.host)),
      watch_((
          // Before anything is read.
          expect(loopback_ || !options.token.empty(), "serve: expected --token with --host {}, which others can reach, found none",
                 options.host),
          options.folder)) {
  if (!options.token.empty()) expect_token(options.token);
  server_ = std::make_unique<HttpServer>(options.host, options.port, [this](const HttpRequest& request) {
    HttpAnswer result = answer(request);
    result.headers.insert(result.headers.end(), {{"Cache-Control", "no-store"},
                                                 {"X-Content-Type-Options", "nosniff"},
                                                 {"Referrer-Policy", "no-referrer"},
                                                 {"Cross-Origin-Resource-Policy", "same-origin"}});
    if (!has_policy(result)) result.headers.emplace_back("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    return result;
  });
  poller_ = std::thread([this] {
    for (std::uint64_t seen = 0; !watch_.closed();) {
      const auto end = std::chrono::steady_clock::now() + options_.poll_interval;
      try {
        watch_.poll();
      } catch (const std::exception& error) {
        warn("serve: {}", explanation(error));
      }
      while (!watch_.closed() && std::chrono::steady_clock::now() < end) {
        watch_.wait(seen, std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()));
      }
    }
  });
}

LiveServer::~LiveServer() {
  watch_.close();
  server_.reset();
  poller_.join();
}

std::string LiveServer::address() const {
  const bool bracketed = options_.host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", bracketed ? "[" : "", options_.host, bracketed ? "]" : "", port());
}

HttpAnswer LiveServer::answer(const HttpRequest& request) {
  if (loopback_ && !is_own_host(request.host)) return refusal(403, "Host: expected the name of this machine, found another");
  if (request.method != "GET" && request.method != "HEAD") {
    HttpAnswer refused = refusal(405, "expected GET or HEAD, found another method");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  if (!options_.token.empty() && !same_secret(bearer_token(request.authorization), options_.token) &&
      !same_secret(value_of(request, "token"), options_.token)) {
    HttpAnswer refused = refusal(401, "expected the server's token, found none or another");
    refused.headers.emplace_back("WWW-Authenticate", "Bearer");
    return refused;
  }
  const Route route = Route::of(request.path);
  if (route.kind == Route::Kind::kPage) return page();
  if (route.kind == Route::Kind::kRuns) return of_text(watch_.list());
  if (route.kind == Route::Kind::kMetrics) {
    return of_text(std::make_shared<const std::string>(prometheus()), "text/plain; version=0.0.4; charset=utf-8");
  }
  if (route.kind == Route::Kind::kUnknown) return refusal(404, "expected /, /api/runs, /api/runs/NAME, /api/runs/NAME/events or /metrics");
  const std::shared_ptr<WatchedRun> run = watch_.find(route.run);
  if (!run) return refusal(404, "expected the name of a run, as /api/runs lists them, found another");
  if (route.kind == Route::Kind::kRun) return of_text(run->page(options_.patient));
  return events(request, run);
}

HttpAnswer LiveServer::events(const HttpRequest& request, const std::shared_ptr<WatchedRun>& run) {
  std::string after = request.last_event_id;
  if (after.empty()) after = value_of(request, "after");
  const std::optional<EventId> id = after.empty() ? EventId{} : EventId::parse(after);
  if (!id) return refusal(400, "Last-Event-ID: expected the id of an event, found something else");
  HttpAnswer answer;
  answer.type = "text/event-stream";
  if (request.method == "HEAD") return answer;
  // Counts the viewer as long as the answer lives.
  const std::shared_ptr<void> place(nullptr, [this](void*) { --viewers_; });
  if (++viewers_ > kMaxViewers) return refusal(503, fmt::format("expected at most {} viewers, found more", kMaxViewers));
  answer.stream = [place, stream = std::make_shared<EventStream>(watch_, run, *id, options_.heartbeat)] { return stream->next(); };
  return answer;
}

HttpAnswer LiveServer::page() const {
  const std::string nonce = random_digits();
  HttpAnswer answer = of_text(std::make_shared<const std::string>(live_page(nonce)), "text/html; charset=utf-8");
  answer.headers.emplace_back("Content-Security-Policy",
                              fmt::format("default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data:; "
                                          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                                          nonce));
  return answer;
}

std::string LiveServer::prometheus() const {
  std::vector<nlohmann::ordered_json> entries;
  for (const auto& run : watch_.runs()) entries.push_back(run->entry());
  return prometheus_text(entries);
}

}  // namespace paretofl
