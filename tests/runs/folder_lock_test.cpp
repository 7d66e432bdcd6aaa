#include "paretofl/runs/folder_lock.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class FolderLockTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  FolderLock lock() const { return FolderLock(folder_, "run"); }

  fs::path folder_ = fs::path(testing::TempDir()) / ("paretofl_folder_lock_test_" + std::to_string(::getpid()));
};

TEST_F(FolderLockTest, IsHeldByOneAtATime) {
  std::optional<FolderLock> first(lock());
  EXPECT_THAT([&] { lock(); }, ThrowsMessage<Error>(HasSubstr("run: expected no other run at work in " + folder_.string())));
  FolderLock moved = std::move(*first);
  first.reset();
  EXPECT_THROW(lock(), Error) << "moved is not gone";
}

TEST_F(FolderLockTest, IsFreeOnceItsHolderIsGone) {
  { const FolderLock first = lock(); }
  EXPECT_NO_THROW(lock());
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock held = lock();
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(lock());
}

TEST_F(FolderLockTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_THAT([&] { FolderLock(folder_ / "absent", "run"); }, ThrowsMessage<Error>(HasSubstr("absent")));
}

}  // namespace
}  // namespace paretofl
