#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// What a path of the server names.
struct Route {
  enum class Kind { kUnknown, kPage, kRuns, kRun, kEvents, kMetrics };

  Kind kind = Kind::kUnknown;
  std::string run;  ///< of kRun and kEvents: a text as it was sent, to be looked up among the names of runs

  /// Of a path that is decoded: "/", "/api/runs", "/api/runs/NAME", "/api/runs/NAME/events" or "/metrics".
  static Route of(std::string_view path);
};

}  // namespace paretofl
