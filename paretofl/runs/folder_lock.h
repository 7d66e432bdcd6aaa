#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>

namespace paretofl {

/// Holds a folder for one process at a time, until the lock and every process forked meanwhile are gone: an
/// advisory lock on the file .lock in it, which stays there.
class FolderLock {
 public:
  static constexpr const char* kFile = ".lock";

  /// `holder` names who works in the folder, such as "run". Throws Error where another still does after `patience`, which
  /// gives those time to go that were just killed. Only warns, on stderr, where the file system has no locks.
  FolderLock(const std::filesystem::path& folder, std::string_view holder, std::chrono::milliseconds patience = {});
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int descriptor_;
};

}  // namespace paretofl
