#include "paretofl/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kMostLinks = 40;  // as many as Linux follows

// Where a symbolic link leads, through others too.
std::filesystem::path behind_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path;
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, const std::string& text) {
  write_whole_file(path, [&text](std::ostream& file) { file << text; });
}

void write_whole_file(const std::filesystem::path& named, const std::function<void(std::ostream&)>& write) {
  if (named.empty()) throw Error("expected the name of a file to write, found nothing");
  const std::filesystem::path path = behind_links(named);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (is_directory(status)) throw Error(fmt::format("{}: expected the name of a file to write, found a folder", path.string()));
  const bool replaceable = !std::filesystem::exists(status) || is_regular_file(status);
  const std::filesystem::path aside = replaceable ? path.string() + ".tmp" : path.string();
  // What was begun aside would only take room.
  const auto expect_done = [&](bool done, const std::filesystem::path& where, const char* wanted, const std::string& found) {
    if (done) return;
    std::error_code ignored;
    if (replaceable) std::filesystem::remove(aside, ignored);
    throw Error(fmt::format("{}: expected {}, found: {}", where.string(), wanted, found));
  };
  // A pipe or a link that has the name would be written into.
  if (replaceable) std::filesystem::remove(aside, error);
  // Opening a pipe that nobody reads would wait for ever.
  const int probe = replaceable ? -1 : ::open(aside.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  expect_done(replaceable || probe >= 0, aside, "something that can be written to", std::strerror(errno));
  {
    std::ofstream file(aside, std::ios::binary | std::ios::trunc);
    if (probe >= 0) ::close(probe);
    expect_done(file.is_open(), path, "a file that can be written", std::strerror(errno));
    write(file);
    file.flush();
    expect_done(static_cast<bool>(file), path, "room to write", std::strerror(errno));
  }
  if (!replaceable) return;
  std::filesystem::rename(aside, path, error);
  expect_done(!error, path, "to be replaceable", error.message());
}

}  // namespace paretofl
