#include "paretofl/files/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const fs::path folder = fs::path(testing::TempDir()) / "whole_file";
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WholeFile, ReplacesWhatIsThere) {
  const fs::path path = folder() / "a";
  write_whole_file(path, "long text");
  write_whole_file(path, "new");
  EXPECT_EQ(read(path), "new");
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
  EXPECT_THROW(write_whole_file(path / "below a file", "x"), Error);
  EXPECT_THROW(write_whole_file(path.parent_path(), "x"), Error) << "a folder";
}

TEST(WholeFile, WritesTheFileBehindALink) {
  const fs::path links = folder();
  fs::create_directory(links / "elsewhere");
  fs::create_symlink("elsewhere/next", links / "link");
  fs::create_symlink(links / "elsewhere/text", links / "elsewhere/next");
  for (const std::string content : {"new", "newer"}) {  // at first the file is not there
    write_whole_file(links / "link", content);
    EXPECT_TRUE(fs::is_symlink(links / "link") && fs::is_symlink(links / "elsewhere/next"));
    EXPECT_EQ(read(links / "elsewhere/text"), content);
  }
}

TEST(WholeFile, WritesIntoWhatIsNoFile) {
  const fs::path path = folder() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int pipe = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(pipe, 0);
  write_whole_file(path, "into the pipe");
  ASSERT_TRUE(fs::is_fifo(path)) << "or the next line waits for ever";
  std::array<char, 64> buffer{};
  const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))), "into the pipe");
  ::close(pipe);
}

TEST(WholeFile, NamesWhatWasAskedForWhereItIsNoFile) {
  const auto error_of = [](const fs::path& path) {
    try {
      write_whole_file(path, "x");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(error_of(""), "expected the name of a file to write, found nothing");
  EXPECT_EQ(error_of("."), ".: expected the name of a file to write, found a folder");
  const fs::path absent = folder() / "absent/a";
  EXPECT_EQ(error_of(absent), absent.string() + ": expected a file that can be written, found: No such file or directory");
}

TEST(WholeFile, WaitsForNobodyToReadAPipe) {
  const fs::path path = folder() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(write_whole_file(path, "x"), Error);
}

TEST(WholeFile, WritesIntoNothingThatHasTheNameOfItsFileAside) {
  const fs::path path = folder() / "a";
  ASSERT_EQ(::mkfifo((path.string() + ".tmp").c_str(), 0600), 0);
  write_whole_file(path, "new");
  EXPECT_EQ(read(path), "new");
  std::ofstream(path.parent_path() / "other") << "other";
  fs::create_symlink("other", path.string() + ".tmp");
  write_whole_file(path, "newer");
  EXPECT_EQ(read(path), "newer");
  EXPECT_EQ(read(path.parent_path() / "other"), "other");
}

}  // namespace
}  // namespace paretofl
