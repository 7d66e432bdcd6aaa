#include "paretofl/files/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"

namespace paretofl {
namespace {

[[noreturn]] void fail_to(std::string_view action, const std::string& what, const std::filesystem::path& path, int error) {
  throw Error(fmt::format("{}: expected to {} {}, found: {}", what, action, path.string(), std::generic_category().message(error)));
}

}  // namespace

DurableFile::DurableFile(std::string what, const std::filesystem::path& path, int flags)
    : what_(std::move(what)), path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail("open", errno);
}

DurableFile::~DurableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : what_(std::move(other.what_)), path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

DurableFile& DurableFile::operator=(DurableFile&& other) noexcept {
  std::swap(what_, other.what_);
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void DurableFile::fail(std::string_view action, int error) const { fail_to(action, what_, path_, error); }

void DurableFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void DurableFile::cut(std::size_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("shorten", errno);
}

void DurableFile::sync() {
  if (::fsync(descriptor_) != 0) fail("sync", errno);
}

void DurableFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close", errno);
}

void DurableFile::replace(const std::string& what, const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const std::filesystem::path partial = path.string() + std::string(kPartial);
  try {
    DurableFile file(what, partial, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(bytes);
    file.sync();
    file.close();
    if (::rename(partial.c_str(), path.c_str()) != 0) fail_to("rename to", what, path, errno);
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
  DurableFile(what, path.parent_path(), O_RDONLY | O_DIRECTORY).sync();
}

std::vector<std::byte> DurableFile::read(const std::string& what, const std::filesystem::path& path) {
  const InputFile file(path);
  std::vector<std::byte> bytes(file.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    expect(count > 0, "{}: expected {} bytes of {}, found {}", what, bytes.size(), path.string(), at);
    at += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace paretofl
