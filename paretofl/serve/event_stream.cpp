#include "paretofl/serve/event_stream.h"

#include <fmt/format.h>

#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

constexpr std::uint64_t kMostAtOnce = 256 << 10;  // bytes

std::string events(const RowFile::Part& part) {
  std::string text;
  if (part.reset) text += fmt::format("event: reset\nid: {}\ndata: {{\"rows\":{}}}\n\n", part.from.text(), part.from.rows);
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    text += fmt::format("event: row\nid: {}\ndata: ", part.ids[i].text());
    text += part.rows[i];
    text += "\n\n";
  }
  return text;
}

}  // namespace

EventStream::EventStream(const RunWatch& watch, std::shared_ptr<const WatchedRun> run, const EventId& id,
                         std::chrono::milliseconds heartbeat)
    : watch_(&watch), run_(std::move(run)), heartbeat_(heartbeat), position_(run_->rows().resume(id)) {}

/// Empty where the state is that of the last event.
std::string EventStream::state_event() {
  const nlohmann::ordered_json entry = run_->entry();
  nlohmann::ordered_json state = {{"state", entry.at("state")}};
  if (entry.contains("error")) state["error"] = entry.at("error");
  std::string text = json_text(state);
  if (text == state_) return "";
  state_ = std::move(text);
  return fmt::format("event: state\ndata: {}\n\n", state_);
}

std::optional<std::string> EventStream::next() {
  if (!greeted_) {  // at once, so that a browser knows that the stream is open
    greeted_ = true;
    return "retry: 2000\n\n";
  }
  const auto end = std::chrono::steady_clock::now() + heartbeat_;
  while (!watch_->closed()) {
    if (std::string text = events(run_->rows().next(position_, kMostAtOnce)); !text.empty()) return text;
    if (std::string text = state_event(); !text.empty()) return text;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return ": still here\n\n";
    watch_->wait(seen_, left);
  }
  return std::nullopt;
}

}  // namespace paretofl
