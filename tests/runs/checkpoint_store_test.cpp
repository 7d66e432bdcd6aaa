#include "paretofl/runs/checkpoint_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Record state_of(std::uint32_t round) {
  Record state;
  state.scalars["round"] = round;
  state.arrays["parameters"] = Array(std::vector<float>{1.5F, static_cast<float>(round)});
  state.records["clients"].records["7"].texts["note"] = "kept";
  return state;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class CheckpointStoreTest : public testing::Test {
 protected:
  CheckpointStoreTest() {
    std::string name = (fs::temp_directory_path() / "paretofl_checkpoints_XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    folder_ = root_ / "checkpoints";
  }
  ~CheckpointStoreTest() override { fs::remove_all(root_); }

  fs::path file(std::string_view name) const { return folder_ / name; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_newest(std::uint32_t round, std::size_t warnings) const {
    const auto checkpoint = CheckpointStore(folder_).load_newest();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->round, round);
    EXPECT_EQ(checkpoint->state, state_of(round));
    EXPECT_EQ(checkpoint->warnings.size(), warnings);
  }

  fs::path root_;
  fs::path folder_;
};

TEST_F(CheckpointStoreTest, KeepsTheLastOnes) {
  CheckpointStore store(folder_, 2);
  for (const std::uint32_t round : {5U, 10U, 15U, 20U}) store.save(round, state_of(round));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000015.bin", "checkpoint-000020.bin"));
  EXPECT_THAT(store.rounds(), ElementsAre(15, 20));
  expect_newest(20, 0);
}

TEST_F(CheckpointStoreTest, OrdersByNumberNotByName) {
  CheckpointStore store(folder_, 1);
  store.save(999999, state_of(999999));
  store.save(1000000, state_of(1000000));
  EXPECT_THAT(names(), ElementsAre("checkpoint-1000000.bin"));
  expect_newest(1000000, 0);
}

TEST_F(CheckpointStoreTest, SavingARoundAgainReplacesIt) {
  CheckpointStore store(folder_);
  store.save(1, state_of(99));
  store.save(1, state_of(1));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000001.bin"));
  expect_newest(1, 0);
}

TEST_F(CheckpointStoreTest, NeverRemovesWhatItJustWrote) {
  CheckpointStore store(folder_, 1);
  store.save(50, state_of(50));
  store.save(10, state_of(10));
  EXPECT_THAT(store.rounds(), ElementsAre(10, 50));
}

TEST_F(CheckpointStoreTest, IgnoresOtherFiles) {
  CheckpointStore store(folder_);
  store.save(1, state_of(1));
  for (const auto* name : {"checkpoint-.bin", "checkpoint-2.bin", "checkpoint-00000x.bin", "checkpoint-99999999999.bin", "notes.txt"}) {
    write_file(file(name), "x");
  }
  EXPECT_THAT(store.rounds(), ElementsAre(1));
  expect_newest(1, 0);
}

// A crash while the file is written aside, at every length, and after the rename, before the removal
// of the old ones.
TEST_F(CheckpointStoreTest, SurvivesACrashAtEveryStep) {
  CheckpointStore(folder_).save(1, state_of(1));
  fs::copy(folder_, root_ / "other");
  CheckpointStore other(root_ / "other");
  other.save(2, state_of(2));
  const std::string second = read_file(root_ / "other" / "checkpoint-000002.bin");
  for (std::size_t length = 0; length <= second.size(); ++length) {
    write_file(file("checkpoint-000002.bin.partial"), std::string_view(second).substr(0, length));
    expect_newest(1, 0);
  }
  CheckpointStore(folder_, 1).save(3, state_of(3));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000003.bin"));

  write_file(file("checkpoint-000004.bin"), read_file(file("checkpoint-000003.bin")));
  write_file(file("checkpoint-000002.bin"), second);
  CheckpointStore(folder_, 1).save(5, state_of(5));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000005.bin"));
}

// The process is killed by the kernel at a given byte of the file it writes.
TEST_F(CheckpointStoreTest, SurvivesBeingKilledWhileWriting) {
  CheckpointStore(folder_).save(1, state_of(1));
  const std::size_t size = encoded_size(state_of(2));
  for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, size / 2, size - 1}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit file_size{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &file_size);
      CheckpointStore(folder_).save(2, state_of(2));
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ) << "limit " << limit << ", status " << status;
    EXPECT_THAT(names(), ElementsAre("checkpoint-000001.bin", "checkpoint-000002.bin.partial"));
    expect_newest(1, 0);
  }
  CheckpointStore(folder_).save(2, state_of(2));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000001.bin", "checkpoint-000002.bin"));
}

TEST_F(CheckpointStoreTest, ADamagedNewestOneFallsBackAndSaysSo) {
  CheckpointStore store(folder_);
  store.save(1, state_of(1));
  store.save(2, state_of(2));
  const std::string whole = read_file(file("checkpoint-000002.bin"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(file("checkpoint-000002.bin"), std::string_view(whole).substr(0, length));
    expect_newest(1, 1);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
    write_file(file("checkpoint-000002.bin"), flipped);
    expect_newest(1, 1);
  }
  EXPECT_THAT(store.load_newest()->warnings, ElementsAre(HasSubstr("checkpoint-000002.bin: message: expected")));
  EXPECT_THAT(store.rounds(), ElementsAre(1, 2)) << "the damaged file stays";
  store.save(2, state_of(2));
  expect_newest(2, 0);
}

TEST_F(CheckpointStoreTest, NoWholeCheckpointIsAnErrorThatListsWhatWasTried) {
  CheckpointStore store(folder_);
  EXPECT_FALSE(store.load_newest());
  store.save(1, state_of(1));
  store.save(2, state_of(2));
  write_file(file("checkpoint-000001.bin"), "");
  fs::remove(file("checkpoint-000002.bin"));
  fs::create_directory(file("checkpoint-000002.bin"));
  const std::string error = error_of([&] { store.load_newest(); });
  EXPECT_THAT(error, HasSubstr("checkpoint-000001.bin"));
  EXPECT_THAT(error, HasSubstr("checkpoint-000002.bin"));
}

/// No file can grow beyond a limit, as on a full disk, within its scope.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(CheckpointStoreTest, AFullDiskIsAnErrorAndLeavesTheEarlierOnes) {
  CheckpointStore store(folder_, 1);
  store.save(1, state_of(1));
  std::string error;
  {
    const FullDisk full(100);
    error = error_of([&] { store.save(2, state_of(2)); });
  }
  EXPECT_THAT(error, HasSubstr("checkpoint: expected to write"));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000001.bin"));
  expect_newest(1, 0);
}

TEST_F(CheckpointStoreTest, AFolderThatCannotBeWrittenIsAnError) {
  write_file(root_ / "a_file", "x");
  EXPECT_THAT(error_of([&] { CheckpointStore(root_ / "a_file"); }), HasSubstr("checkpoint: expected to make the folder"));
  CheckpointStore store(folder_);
  store.save(1, state_of(1));
  // A folder stands where the new file has to go, which stops root too.
  fs::create_directories(file("checkpoint-000002.bin") / "in_the_way");
  EXPECT_THAT(error_of([&] { store.save(2, state_of(2)); }), HasSubstr("checkpoint: expected to rename to"));
  fs::remove_all(file("checkpoint-000002.bin"));
  EXPECT_THAT(names(), ElementsAre("checkpoint-000001.bin"));
  fs::remove_all(folder_);
  EXPECT_THAT(error_of([&] { store.save(2, state_of(2)); }), HasSubstr("checkpoint: expected to"));
  EXPECT_THAT(error_of([&] { CheckpointStore(folder_, 0); }), HasSubstr("at least 1"));
}

TEST_F(CheckpointStoreTest, AStateThatCannotBeEncodedWritesNothing) {
  CheckpointStore store(folder_);
  Record state;
  Record* deepest = &state;
  for (int i = 0; i < 100; ++i) deepest = &deepest->records["in"];
  EXPECT_THROW(store.save(1, state), Error);
  EXPECT_THAT(names(), IsEmpty());
}

}  // namespace
}  // namespace paretofl
