#include "paretofl/serve/route.h"

namespace paretofl {

Route Route::of(std::string_view path) {
  constexpr std::string_view kRunsPath = "/api/runs", kEventsEnd = "/events";
  if (path == "/") return {Kind::kPage, ""};
  if (path == "/metrics") return {Kind::kMetrics, ""};
  if (path == kRunsPath) return {Kind::kRuns, ""};
  if (!path.starts_with(kRunsPath) || path[kRunsPath.size()] != '/') return {};
  std::string_view name = path.substr(kRunsPath.size() + 1);
  Kind kind = Kind::kRun;
  if (name.ends_with(kEventsEnd)) {
    name.remove_suffix(kEventsEnd.size());
    kind = Kind::kEvents;
  }
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string_view("/\0", 2)) != std::string_view::npos) return {};
  return {kind, std::string(name)};
}

}  // namespace paretofl
