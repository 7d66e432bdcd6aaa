#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace paretofl {

/// Names a row of a run's metrics.jsonl for viewers that come back: how many rows there are up to it, and a digest of them all. So it is
/// still valid after a restart of the server, and no longer once one of these rows has changed.
struct EventId {
  std::uint64_t rows = 0;    ///< 0: before the first row
  std::uint64_t digest = 0;  ///< 0 where rows is 0

  /// Of the row that follows; `row` is without its line's end.
  EventId next(std::string_view row) const;

  /// Such as "12-00ff00ff00ff00ff".
  std::string text() const;
  /// Nothing where the text is no id.
  static std::optional<EventId> parse(std::string_view text);

  bool operator==(const EventId&) const = default;
};

}  // namespace paretofl
