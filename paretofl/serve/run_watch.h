#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/serve/watched_run.h"

namespace paretofl {

/// The runs in a folder, or the one that the folder is, followed as they go. One thread calls poll(); any thread may call the rest.
class RunWatch {
 public:
  /// More runs than this are left out.
  static constexpr std::size_t kMaxRuns = 10000;

  /// Throws Error unless there is a folder.
  explicit RunWatch(const std::filesystem::path& folder);

  /// Looks at all runs once, and wakes those who wait if anything changed.
  void poll();

  /// Waits until a poll() has found a change since the one that `seen` tells of, close() was called, or the time is over; `seen` then tells
  /// of the last.
  void wait(std::uint64_t& seen, std::chrono::milliseconds most) const;
  /// Wakes all who wait, for ever.
  void close();
  bool closed() const;

  /// The run of that name, or nothing: no other part of the file system can be named.
  std::shared_ptr<WatchedRun> find(std::string_view name) const;
  std::vector<std::shared_ptr<WatchedRun>> runs() const;

  /// {"folder": its name, "single": whether the folder is a run itself, "runs": [entries]}, as text.
  std::shared_ptr<const std::string> list() const;

 private:
  bool scan(const LockedFiles& locked);

  const std::filesystem::path folder_;
  const std::string title_;
  bool single_ = false;  ///< of poll() alone

  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<WatchedRun>, std::less<>> runs_;
  std::uint64_t version_ = 0;
  bool closed_ = false;
  std::shared_ptr<const std::string> list_;
};

}  // namespace paretofl
