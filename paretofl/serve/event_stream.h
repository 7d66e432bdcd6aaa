#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "paretofl/serve/run_watch.h"

namespace paretofl {

/// What one viewer of a run is sent, as server-sent events. "row": a row of metrics.jsonl as it stands there; its id names it for
/// Last-Event-ID. "reset", {"rows": n}: of the rows that were sent only the first n stand, since the run was resumed or begun again.
/// "state", {"state", "error"}: the run's, as WatchedRun::entry() has it, at first and when it changes. Comments keep the connection alive.
class EventStream {
 public:
  /// From after the row `id`, if all rows up to there are still the same, else from the start.
  EventStream(const RunWatch& watch, std::shared_ptr<const WatchedRun> run, const EventId& id, std::chrono::milliseconds heartbeat);

  /// Waits for what comes next; nothing where the server ends. At most about 256 KiB, or one row.
  std::optional<std::string> next();

 private:
  std::string state_event();

  const RunWatch* watch_;
  std::shared_ptr<const WatchedRun> run_;
  std::chrono::milliseconds heartbeat_;
  RowFile::Position position_;
  std::uint64_t seen_ = 0;
  bool greeted_ = false;
  std::string state_;
};

}  // namespace paretofl
