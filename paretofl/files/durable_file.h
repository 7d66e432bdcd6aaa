#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace paretofl {

/// A file, or a folder, whose descriptor closes itself. Every failure is an Error that begins with `what`, such as "checkpoint".
class DurableFile {
 public:
  /// Opens with the flags of open(2), and makes a file that only its owner may write.
  DurableFile(std::string what, const std::filesystem::path& path, int flags);
  ~DurableFile();
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&& other) noexcept;

  void write(std::span<const std::byte> bytes);
  /// Shortens it to `size` bytes.
  void cut(std::size_t size);
  void sync();
  void close();

  /// Writes aside, syncs to disk and renames: a crash or a full disk at any moment leaves the old content or the new, whole.
  static void replace(const std::string& what, const std::filesystem::path& path, std::span<const std::byte> bytes);
  static std::vector<std::byte> read(const std::string& what, const std::filesystem::path& path);

  /// What replace() adds to the name of what it writes aside.
  static constexpr std::string_view kPartial = ".partial";

 private:
  [[noreturn]] void fail(std::string_view action, int error) const;

  std::string what_;
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace paretofl
