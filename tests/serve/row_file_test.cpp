#include "paretofl/serve/row_file.h"

#include <gmock/gmock.h>

#include "paretofl/serve/run_figures.h"
#include "tests/serve/live_run.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

class RowFiles : public testing::Test {
 protected:
  RowFiles() : run_(fresh_folder("rows"), "a"), file_(run_.metrics()) {}

  bool poll() {
    return file_.poll([&] { figures_ = {}; }, [&](std::string_view row, const std::string& where) { figures_.add(row, where); });
  }

  RowFile::Part next(std::uint64_t most = 1 << 20) { return file_.next(position_, most); }

  LiveRun run_;
  RowFile file_;
  RunFigures figures_;
  RowFile::Position position_;
};

TEST_F(RowFiles, GivesEachRowOnce) {
  EXPECT_FALSE(poll());
  EXPECT_TRUE(next().rows.empty());
  run_.append_rows(1, 3);
  EXPECT_TRUE(poll());
  EXPECT_FALSE(poll());
  EXPECT_EQ(next().rows, run_.lines());
  EXPECT_TRUE(next().rows.empty());
  run_.append_rows(4, 4);
  poll();
  EXPECT_THAT(next().rows, testing::ElementsAre(run_.lines()[3]));
  EXPECT_EQ(figures_.round, 4);
  EXPECT_EQ(figures_.bytes_up, 4000);
  EXPECT_EQ(figures_.failures, 4u);
  EXPECT_EQ(figures_.late, 4);
  EXPECT_EQ(figures_.seconds.at("train"), 2);
  EXPECT_EQ(figures_.last.at("test").at("accuracy").at("left"), 0.54);
}

TEST_F(RowFiles, KeepsAHalfWrittenRowUntilItIsComplete) {
  const std::string row = LiveRun::row(1);
  run_.append(row.substr(0, 20));
  poll();
  EXPECT_TRUE(next().rows.empty());
  EXPECT_EQ(file_.damage(), "");
  run_.append(row.substr(20));
  poll();
  EXPECT_TRUE(next().rows.empty());
  run_.append("\n" + LiveRun::row(2).substr(0, 5));
  poll();
  EXPECT_THAT(next().rows, testing::ElementsAre(row));
}

TEST_F(RowFiles, GivesAFewAtATime) {
  run_.append_rows(1, 5);
  poll();
  std::vector<std::string> rows;
  for (int i = 0; i < 5; ++i) {
    const RowFile::Part part = next(1);
    ASSERT_EQ(part.rows.size(), 1u);
    rows.push_back(part.rows.front());
    EXPECT_EQ(part.ids.front(), position_.id);
  }
  EXPECT_EQ(rows, run_.lines());
}

TEST_F(RowFiles, AResumedRunKeepsTheRowsThatAreTheSame) {
  run_.append_rows(1, 5);
  poll();
  next();
  const auto lines = run_.lines();
  run_.replace_rows(lines[0] + "\n" + lines[1] + "\n" + LiveRun::row(3, 0.9) + "\n");
  EXPECT_TRUE(poll());
  const RowFile::Part part = next();
  EXPECT_TRUE(part.reset);
  EXPECT_EQ(part.from.rows, 2u);
  EXPECT_THAT(part.rows, testing::ElementsAre(LiveRun::row(3, 0.9)));
  EXPECT_EQ(figures_.round, 3);
  EXPECT_EQ(figures_.bytes_up, 3000);
}

TEST_F(RowFiles, ACopyOfTheSameRowsIsNoReset) {
  run_.append_rows(1, 2);
  poll();
  next();
  const auto lines = run_.lines();
  run_.replace_rows(lines[0] + "\n" + lines[1] + "\n" + LiveRun::row(3) + "\n");
  poll();
  const RowFile::Part part = next();
  EXPECT_FALSE(part.reset);
  EXPECT_THAT(part.rows, testing::ElementsAre(LiveRun::row(3)));
}

TEST_F(RowFiles, AnotherRunIsAResetToNothing) {
  run_.append_rows(1, 5);
  poll();
  next();
  run_.begin();
  poll();
  RowFile::Part part = next();
  EXPECT_TRUE(part.reset);
  EXPECT_EQ(part.from, EventId());
  EXPECT_TRUE(part.rows.empty());
  run_.append_rows(1, 2, 0.7);
  poll();
  part = next();
  EXPECT_FALSE(part.reset);
  EXPECT_EQ(part.rows, run_.lines());
}

TEST_F(RowFiles, SeesAFileThatWasCutOrRewrittenInPlace) {
  run_.append_rows(1, 5);
  poll();
  next();
  const auto lines = run_.lines();
  std::filesystem::resize_file(run_.metrics(), lines[0].size() + 1);
  poll();
  EXPECT_EQ(next().from.rows, 1u);
  std::ofstream(run_.metrics()) << LiveRun::row(1, 0.7) << '\n' << LiveRun::row(2, 0.7) << '\n';
  poll();
  const RowFile::Part part = next();
  EXPECT_TRUE(part.reset);
  EXPECT_EQ(part.rows, run_.lines());
}

TEST_F(RowFiles, TwoChangesAreAResetToNothing) {
  run_.append_rows(1, 3);
  poll();
  next();
  const auto lines = run_.lines();
  run_.replace_rows(lines[0] + "\n" + lines[1] + "\n");
  poll();
  run_.replace_rows(lines[0] + "\n");
  poll();
  const RowFile::Part part = next();
  EXPECT_TRUE(part.reset);
  EXPECT_EQ(part.from.rows, 0u);
  EXPECT_THAT(part.rows, testing::ElementsAre(lines[0]));
}

TEST_F(RowFiles, StopsAtADamagedRow) {
  for (const char* bad : {"{\"round\":", "[]", "{}", "{\"round\":1}", "{\"round\":-1}", "{\"round\":\"2\"}", "{\"round\":2,\"late\":[]}",
                          "", "{\"round\":2}\r", "{\"round\":2,\"test\":{\"loss\":3}}", "{\"round\":2,\"x\":\"\xff\"}", "{\"round\":1e99}",
                          "{\"round\":2,\"failures\":{}}", "{\"round\":2,\"seconds\":[1]}"}) {
    run_.begin();
    poll();
    next();
    run_.append(LiveRun::row(1) + "\n" + bad + "\n" + LiveRun::row(3) + "\n");
    poll();
    EXPECT_THAT(file_.damage(), HasSubstr("metrics.jsonl:2: expected")) << bad;
    EXPECT_THAT(next().rows, testing::ElementsAre(LiveRun::row(1))) << bad;
    EXPECT_EQ(figures_.bytes_up, 1000) << bad;
    const std::string mended = LiveRun::row(1) + "\n" + LiveRun::row(2) + "\n";
    run_.replace_rows(mended);
    poll();
    EXPECT_EQ(file_.damage(), "");
    EXPECT_THAT(next().rows, testing::ElementsAre(LiveRun::row(2)));
  }
}

TEST_F(RowFiles, FollowsNoLink) {
  const auto secret = run_.folder().parent_path() / "secret";
  std::ofstream(secret) << LiveRun::row(1) << '\n';
  std::filesystem::create_symlink(secret, run_.metrics());
  poll();
  EXPECT_THAT(file_.damage(), HasSubstr("expected a file"));
  EXPECT_TRUE(next().rows.empty());
}

TEST_F(RowFiles, GoesOnWhereAViewerLeft) {
  run_.append_rows(1, 5);
  poll();
  const EventId third = next(1).ids[0].next(run_.lines()[1]).next(run_.lines()[2]);
  position_ = file_.resume(third);
  RowFile::Part part = next();
  EXPECT_FALSE(part.reset);
  EXPECT_EQ(part.rows.size(), 2u);
  for (const EventId unknown : {EventId{3, third.digest + 1}, EventId{9, third.digest}, EventId{2, third.digest}}) {
    position_ = file_.resume(unknown);
    part = next();
    EXPECT_TRUE(part.reset);
    EXPECT_EQ(part.from, EventId());
    EXPECT_EQ(part.rows, run_.lines());
  }
}

TEST(EventIds, AreTextsAndBack) {
  const EventId id = EventId{}.next("a").next("b");
  EXPECT_EQ(EventId::parse(id.text()), id);
  EXPECT_EQ(EventId::parse(EventId{}.text()), EventId{});
  EXPECT_NE(EventId{}.next("a").next("b"), EventId{}.next("ab").next(""));
  for (const char* text : {"", "-", "3", "1-0", "1-00000000000000000", "01-0000000000000000", "1-000000000000000G", "-1-0000000000000000",
                           "1-0000000000000000\n", "+1-0000000000000000", "99999999999999999999-0000000000000000", "0-0000000000000001"}) {
    EXPECT_FALSE(EventId::parse(text)) << text;
  }
}

}  // namespace
}  // namespace paretofl
