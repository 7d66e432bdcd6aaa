#pragma once

#include <cstdint>
#include <filesystem>

namespace paretofl {

/// What tells whether a file has changed, from one look at its folder's entry. Links are not followed.
struct FileStamp {
  enum class Kind { kMissing, kFile, kFolder, kLink, kOther };

  Kind kind = Kind::kMissing;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds

  static FileStamp of(const std::filesystem::path& path);
  static FileStamp of(int descriptor);

  bool is_file() const { return kind == Kind::kFile; }
  bool same_file(const FileStamp& other) const { return kind == other.kind && device == other.device && inode == other.inode; }
  bool operator==(const FileStamp&) const = default;
};

}  // namespace paretofl
