#include "paretofl/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/files/missing_file.h"

namespace paretofl {
namespace {

const char* kind_of(const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return "a folder";
  if (S_ISFIFO(status.st_mode)) return "a pipe";
  if (S_ISSOCK(status.st_mode)) return "a socket";
  return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? "a device" : "something else";
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) {
  // Looked at before it is opened, as opening alone may do things to a device, and again behind it.
  struct stat status {};
  const std::string name = path.string();
  const int failure = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
  if (failure == ENOENT || failure == ENOTDIR) throw MissingFile(path, name + ": expected a file, found none");
  expect(failure == 0, "{}: expected a file, found: {}", name, std::strerror(failure));
  expect(S_ISREG(status.st_mode), "{}: expected a file, found {}", name, kind_of(status));
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  expect(descriptor_ >= 0, "{}: expected a readable file, found: {}", name, std::strerror(errno));
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw Error(name + ": expected a file, found something else in its place");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int InputFile::release() { return std::exchange(descriptor_, -1); }

std::string read_descriptor(int descriptor, const std::string& name, std::uint64_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    expect(size <= most, "{}: expected at most {} bytes, found more", name, most);
    text.resize(std::max(size + kPiece, text.capacity()));
    const ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
    const int failure = errno;
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return text;
    expect(count > 0 || failure == EINTR, "{}: expected something that can be read, found: {}", name, std::strerror(failure));
  }
}

std::string read_file(const std::filesystem::path& path, std::uint64_t most) {
  const InputFile file(path);
  expect(file.size() <= most, "{}: expected at most {} bytes, found {}", path.string(), most, file.size());
  return read_descriptor(file.descriptor(), path.string(), most);
}

}  // namespace paretofl
