#include "paretofl/runs/run_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RunDirectoryTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(path_); }
  void TearDown() override { fs::remove_all(path_); }
  static std::string read(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(path_ / file) << text; }

  fs::path path_ = fs::path(testing::TempDir()) / "paretofl_run_directory_test";
};

TEST_F(RunDirectoryTest, RefusesANonEmptyFolderUnlessToldToOverwriteARun) {
  RunDirectory::create(path_, false, {});
  EXPECT_THAT([&] { RunDirectory::create(path_, false, {}); }, ThrowsMessage<Error>(HasSubstr("use --resume or --overwrite")));
  write("metrics.jsonl", "old");
  write("mine.txt", "keep");
  fs::create_directories(path_ / "model" / "client-0");
  write("model/client-0/completions.jsonl", "old");
  RunDirectory::create(path_, true, {});
  EXPECT_FALSE(fs::exists(path_ / "metrics.jsonl"));
  EXPECT_FALSE(fs::exists(path_ / "model")) << "its completions would be in the new run's report";
  EXPECT_EQ(read(path_ / "mine.txt"), "keep");
}

TEST_F(RunDirectoryTest, NeverOverwritesWhatIsNoRun) {
  fs::create_directories(path_);
  write("thesis.tex", "precious");
  EXPECT_THAT([&] { RunDirectory::create(path_, true, {}); }, ThrowsMessage<Error>(HasSubstr("found no config.toml")));
  EXPECT_THAT([&] { RunDirectory::open(path_); }, ThrowsMessage<Error>(HasSubstr("found no config.toml")));
  EXPECT_THAT([&] { RunDirectory::create(path_ / "thesis.tex", true, {}); }, ThrowsMessage<Error>(HasSubstr("found the file")));
  EXPECT_EQ(read(path_ / "thesis.tex"), "precious");
  write("config.toml", "mine too");
  EXPECT_THAT([&] { RunDirectory::create(path_, true, {}); }, ThrowsMessage<Error>(HasSubstr("found no checkpoints")));
  EXPECT_EQ(read(path_ / "config.toml"), "mine too");
}

TEST_F(RunDirectoryTest, HasItsConfigFromTheStart) {
  Settings settings;
  settings.values["seed"] = std::int64_t{2};
  RunDirectory::create(path_, false, settings);
  EXPECT_EQ(read(path_ / "config.toml"), to_toml(settings));
  settings.values["seed"] = std::int64_t{3};
  RunDirectory::create(path_, true, settings);
  EXPECT_EQ(read(path_ / "config.toml"), to_toml(settings));
  fs::remove(path_ / "config.toml");
  EXPECT_NO_THROW(RunDirectory::create(path_, false, settings)) << "what a run that was killed before leaves";
}

TEST_F(RunDirectoryTest, RewindKeepsTheRowsOfACheckpoint) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  std::string digest;
  for (int round = 1; round <= 5; ++round) {
    directory.append_metrics({{"round", round}, {"x", round * 10}});
    if (round == 3) digest = directory.metrics_digest();
  }
  std::ofstream(path_ / "metrics.jsonl", std::ios::app) << "{\"round\": 6, \"x\"";  // killed while writing
  const auto rows = directory.rewind_metrics(3, digest, "");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2]["x"], 30);
  EXPECT_EQ(read(path_ / "metrics.jsonl"), "{\"round\":1,\"x\":10}\n{\"round\":2,\"x\":20}\n{\"round\":3,\"x\":30}\n");
}

TEST_F(RunDirectoryTest, WhatIsNoFolderOrCannotBeLookedAtIsAnError) {
  fs::create_directories(path_);
  fs::create_directory_symlink(path_ / "loop", path_ / "loop");
  EXPECT_THAT([&] { RunDirectory::create(path_ / "loop", false, {}); }, ThrowsMessage<Error>(HasSubstr("expected to look at")));
  EXPECT_THAT([&] { RunDirectory::open(path_ / "loop"); }, ThrowsMessage<Error>(HasSubstr("expected to look at")));
}

TEST_F(RunDirectoryTest, ReplacesTheLastRowAlone) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  EXPECT_THAT([&] { directory.replace_last_metrics({{"round", 1}}); }, ThrowsMessage<Error>(HasSubstr("expected a last row")));
  directory.append_metrics({{"round", 1}});
  directory.replace_last_metrics({{"round", 1}, {"x", 1}});
  EXPECT_EQ(read(path_ / "metrics.jsonl"), "{\"round\":1,\"x\":1}\n");
  directory.append_metrics({{"round", 2}});
  directory.replace_last_metrics({{"round", 2}, {"x", 2}});
  EXPECT_EQ(read(path_ / "metrics.jsonl"), "{\"round\":1,\"x\":1}\n{\"round\":2,\"x\":2}\n");
}

TEST_F(RunDirectoryTest, RewindRejectsMissingAndDamagedRows) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  EXPECT_THAT([&] { directory.rewind_metrics(1, "", ""); },
              ThrowsMessage<Error>(HasSubstr("expected rounds 1 to 1 of the checkpoint, found 0")));
  write("metrics.jsonl", "{\"round\":1}\n{\"round\":3}\n");
  EXPECT_THAT([&] { directory.rewind_metrics(2, "", ""); }, ThrowsMessage<Error>(HasSubstr("expected round 2 in line 2")));
  write("metrics.jsonl", "{\"round\":1}\n{\"round\":\"2\"}\n");
  EXPECT_THAT([&] { directory.rewind_metrics(2, "", ""); }, ThrowsMessage<Error>(HasSubstr("expected round 2 in line 2")));
  write("metrics.jsonl", "{\"round\":1}\nnot json\n");
  EXPECT_THAT([&] { directory.rewind_metrics(2, "", ""); }, ThrowsMessage<Error>(HasSubstr("metrics.jsonl:2: expected JSON, found: ")));
  EXPECT_EQ(read(path_ / "metrics.jsonl"), "{\"round\":1}\nnot json\n") << "a refused file stays as it was";
}

TEST_F(RunDirectoryTest, WhatWasBeingWrittenWhenARunWasKilledIsNoRun) {
  fs::create_directories(path_);
  write("config.toml.tmp", "seed = ");
  RunDirectory::create(path_, false, {});
  EXPECT_FALSE(fs::exists(path_ / "config.toml.tmp"));
  write("metrics.jsonl.tmp", "{");
  RunDirectory::open(path_);
  EXPECT_FALSE(fs::exists(path_ / "metrics.jsonl.tmp"));
}

TEST_F(RunDirectoryTest, AnOverwritingThatWasKilledIsNotTheEarlierRun) {
  RunDirectory::create(path_, false, {});
  write("metrics.jsonl", "old");
  fs::rename(path_ / "config.toml", path_ / "config.toml.replaced");  // where it was killed
  EXPECT_THAT([&] { RunDirectory::config_of(path_); }, ThrowsMessage<Error>(HasSubstr("found no config.toml")));
  EXPECT_THAT([&] { RunDirectory::create(path_, false, {}); }, ThrowsMessage<Error>(HasSubstr("use --resume or --overwrite")));
  RunDirectory::create(path_, true, {});
  EXPECT_FALSE(fs::exists(path_ / "metrics.jsonl"));
  EXPECT_FALSE(fs::exists(path_ / "config.toml.replaced"));
}

TEST_F(RunDirectoryTest, NoticesThatItsMetricsWereChangedMeanwhile) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  directory.append_metrics({{"round", 1}});
  fs::remove(path_ / "metrics.jsonl");
  EXPECT_THAT([&] { directory.append_metrics({{"round", 2}}); }, ThrowsMessage<Error>(HasSubstr("that this run has written, found 0")));
}

TEST_F(RunDirectoryTest, RewindRefusesRowsThatTheCheckpointDoesNotKnow) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  for (int round = 1; round <= 3; ++round) directory.append_metrics({{"round", round}, {"x", round}});
  const std::string digest = directory.metrics_digest();
  directory.replace_last_metrics({{"round", 3}, {"x", 3}, {"test", 1}});
  EXPECT_EQ(directory.rewind_metrics(3, digest, "").size(), 3U) << "the last row is a run's end's to replace";
  EXPECT_EQ(directory.metrics_digest(), digest);
  const auto rows = directory.rewind_metrics(3, digest, "{\"round\":3,\"x\":3}\n");
  EXPECT_EQ(rows.back(), nlohmann::ordered_json({{"round", 3}, {"x", 3}})) << "the checkpoint's takes its place";
  EXPECT_EQ(read(path_ / "metrics.jsonl"), "{\"round\":1,\"x\":1}\n{\"round\":2,\"x\":2}\n{\"round\":3,\"x\":3}\n");
  EXPECT_EQ(directory.last_row(), "{\"round\":3,\"x\":3}\n");
  write("metrics.jsonl", "{\"round\":1,\"x\":1}\n{\"round\":2,\"x\":9}\n{\"round\":3,\"x\":3}\n");
  EXPECT_THAT([&] { directory.rewind_metrics(3, digest, ""); }, ThrowsMessage<Error>(HasSubstr("as the checkpoint knows them")));
}

TEST_F(RunDirectoryTest, ASummarySaysWhetherTheRunSucceeded) {
  RunDirectory directory = RunDirectory::create(path_, false, {});
  EXPECT_FALSE(RunDirectory::succeeded(path_));
  directory.write_summary({{"status", "failed"}});
  EXPECT_FALSE(RunDirectory::succeeded(path_));
  directory.write_summary({{"status", "completed"}});
  EXPECT_TRUE(RunDirectory::succeeded(path_));
}

}  // namespace
}  // namespace paretofl
