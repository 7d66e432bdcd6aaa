#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/serve/event_id.h"
#include "paretofl/serve/file_stamp.h"

namespace paretofl {

/// Follows a run's metrics.jsonl: the one reader of it, which all viewers share. It keeps where each complete row ends and a digest of the
/// rows up to there, not the rows. One thread calls poll(); any thread may call the rest.
class RowFile {
 public:
  /// What a viewer has got.
  struct Position {
    EventId id;
    std::uint64_t changes = 0;  ///< of the file, that it knows of
  };
  /// What a viewer has not got yet.
  struct Part {
    bool reset = false;  ///< the viewer must first drop all rows but the first `from.rows` ones
    EventId from;
    std::vector<EventId> ids;
    std::vector<std::string> rows;  ///< without their lines' ends, one for each id
  };
  /// Looks at a row when it is read first; throws Error where it is damaged. `where` names file and line.
  using Check = std::function<void(std::string_view row, const std::string& where)>;

  /// Bytes; a longer row is damaged.
  static constexpr std::uint64_t kMaxRow = 64 << 20;

  explicit RowFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Reads what is new and calls `check` for each row of it. If rows that were read before are no longer there, it calls `restart` first
  /// and `check` for all rows again. A last line without its end is left for later. Returns whether anything changed.
  bool poll(const std::function<void()>& restart, const Check& check);

  /// The rows after `position`, about `most` bytes of them but at least one where there is any; moves `position` on.
  Part next(Position& position, std::uint64_t most) const;
  /// Where a viewer goes on that has the rows up to `id`; if these rows have changed since, next() begins with a reset.
  Position resume(const EventId& id) const;

  EventId last() const;
  /// Why no row follows the last one until the file changes; empty where it is not damaged.
  std::string damage() const;

 private:
  struct Mark {
    std::uint64_t end;  ///< of the row with its line's end
    std::uint64_t digest;
  };
  /// One content of the file, which only grows.
  struct Version {
    std::shared_ptr<const int> file;  ///< a descriptor, closed when the last reader lets go of it
    std::vector<Mark> marks;
    std::string damage;

    EventId id(std::uint64_t rows) const { return rows == 0 ? EventId{} : EventId{rows, marks[rows - 1].digest}; }
    std::uint64_t end(std::uint64_t rows) const { return rows == 0 ? 0 : marks[rows - 1].end; }
  };

  bool last_row_stands() const;
  void read_on(Version& version, const Check& check);
  void take(std::string_view text, Version& version, const Check& check);
  void replace(Version fresh);

  const std::filesystem::path path_;
  FileStamp stamp_;
  std::uint64_t read_ = 0;  ///< bytes
  std::string torn_;        ///< what was read after the last complete row

  mutable std::mutex mutex_;  ///< guards what follows, which poll() alone changes
  Version now_;
  std::uint64_t changes_ = 0;  ///< how often rows that had been read were no longer there
  std::uint64_t kept_ = 0;     ///< how many of the rows stood at the last such change
};

}  // namespace paretofl
