#include "paretofl/files/input_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class InputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "a") << "some\0text" << '\n';
  }
  void TearDown() override { fs::remove_all(folder_); }

  void expect_refused(const fs::path& path, const std::string& found) const {
    EXPECT_THAT([&] { read_file(path); }, ThrowsMessage<Error>(HasSubstr(path.string() + ": expected a file, found" + found)));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("input_file_" + std::to_string(::getpid()));
};

TEST_F(InputFileTest, ReadsAFileAndALinkToOne) {
  EXPECT_EQ(read_file(folder_ / "a"), "some\n");
  fs::create_symlink("a", folder_ / "link");
  EXPECT_EQ(read_file(folder_ / "link"), "some\n");
  EXPECT_EQ(InputFile(folder_ / "a").size(), 5U);
  const std::string large(3'000'000, 'x');
  std::ofstream(folder_ / "large") << large;
  EXPECT_EQ(read_file(folder_ / "large"), large);
  EXPECT_THAT([&] { read_file(folder_ / "large", 2'999'999); }, ThrowsMessage<Error>(HasSubstr("expected at most 2999999 bytes")));
}

TEST_F(InputFileTest, RefusesWhatIsNoFileWithoutWaiting) {
  expect_refused(folder_ / "none", " none");
  expect_refused(folder_ / "a" / "below", " none");
  expect_refused(folder_, " a folder");
  expect_refused("/dev/zero", " a device");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect_refused(folder_ / "pipe", " a pipe");  // nobody ever writes into it
  fs::create_symlink("pipe", folder_ / "link");
  expect_refused(folder_ / "link", " a pipe");
  fs::create_symlink("loop", folder_ / "loop");
  expect_refused(folder_ / "loop", ": Too many levels of symbolic links");
}

TEST_F(InputFileTest, ReadsADescriptorToItsEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "through a pipe", 14), 14);
  ::close(ends[1]);
  EXPECT_EQ(read_descriptor(ends[0], "the pipe"), "through a pipe");
  ::close(ends[0]);
  EXPECT_THAT([&] { read_descriptor(ends[0], "the pipe"); },
              ThrowsMessage<Error>(HasSubstr("the pipe: expected something that can be read")));
}

}  // namespace
}  // namespace paretofl
