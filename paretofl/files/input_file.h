#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace paretofl {

/// A file that is open for reading. All input files are opened here.
class InputFile {
 public:
  /// Throws Error unless there is a file at the path, or a link to one, that can be read: not for a folder, and not for a
  /// pipe, a socket or a device, which may never end and on which opening may wait for ever.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::uint64_t size() const { return size_; }
  /// Gives up the descriptor: the caller closes it.
  int release();

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

constexpr std::uint64_t kMaxInputBytes = std::uint64_t{1} << 32;

/// Everything in a file. Throws Error as InputFile does, and if there are more than `most` bytes or reading fails.
std::string read_file(const std::filesystem::path& path, std::uint64_t most = kMaxInputBytes);

/// What can still be read from an open descriptor, such as standard input. Throws Error, calling it `name`, as read_file does.
std::string read_descriptor(int descriptor, const std::string& name, std::uint64_t most = kMaxInputBytes);

}  // namespace paretofl
