// Runs that are evaluated on other data than they were trained with.
#include <gmock/gmock.h>

#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/problem_split.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_evaluation.h"
#include "tests/tables/written_tables.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Shops in two districts, whose rows for testing are the same in all data; the others are multiplied by `scale`, and `kind` is the
/// category of their first one.
std::map<std::string, std::string> shop_tables(double scale, const std::string& kind) {
  std::map<std::string, std::string> files;
  for (const int shop : {1, 2}) {
    std::string text = "part,area,kind,sales,open\n";
    for (int row = 0; row < 12; ++row) {
      const bool test = row >= 8;
      const double area = (row + shop) * (test ? 1 : scale);
      text += fmt::format("{},{},{},{},{}\n", test ? "test" : "train", area,
                          row == 0       ? kind
                          : row % 2 == 0 ? "small"
                                         : "large",
                          3 * area + row % 3, row % 4 < 2 ? "yes" : "no");
    }
    files[fmt::format("shop{}.csv", shop)] = text;
  }
  return files;
}

class OtherData : public testing::Test {
 protected:
  OtherData() { write_tables(root_ / "trained", shop_tables(1, "large")); }

  void train(const std::vector<std::string>& overrides = {}) const {
    RunRequest request;
    request.settings.emplace();
    request.directory = root_ / "run";
    request.overrides = {"strategy=fedavg",
                         "workload=table",
                         "rounds=3",
                         "strategy.cohort_size=2",
                         "strategy.client_lr=0.05",
                         "data.root=" + (root_ / "trained").string(),
                         "workload.targets=[\"sales\", \"open\"]",
                         "workload.losses=[\"squared\", \"logistic\"]",
                         "workload.categorical=[\"kind\"]",
                         "workload.split_column=part",
                         "workload.hidden=[4]"};
    request.overrides.insert(request.overrides.end(), overrides.begin(), overrides.end());
    run(request);
  }
  json evaluation(const std::string& data) const {
    return json::parse(evaluate_run({.run = root_ / "run", .data_root = root_ / data}).dump());
  }
  json summary() const {
    std::ifstream file(root_ / "run" / "summary.json");
    return json::parse(file);
  }
  /// Makes the newest checkpoint one of a version that kept no statistics.
  void forget_statistics() const {
    CheckpointStore store(root_ / "run" / "checkpoints");
    auto newest = store.load_newest();
    ASSERT_EQ(newest->state.records.at("model").texts.erase("statistics"), 1U);
    store.save(newest->round, std::move(newest->state));
  }

  std::filesystem::path root_ = table_folder();
};

TEST_F(OtherData, AreScaledAsThoseOfTheTraining) {
  train();
  write_tables(root_ / "other", shop_tables(7, "small"));
  const json found = evaluation("other");
  EXPECT_EQ(found["test"], summary()["test"]);
  EXPECT_EQ(found["overall"], summary()["overall"]);
  EXPECT_EQ(evaluation("trained")["test"], summary()["test"]);
}

TEST_F(OtherData, MayHaveMoreColumnsAndFewerCategories) {
  train();
  std::string text = "id,part,area,kind,sales,open\n";
  for (int row = 0; row < 4; ++row) text += fmt::format("{},{},{},large,{},{}\n", row, row < 2 ? "train" : "test", row, row, "no");
  write_tables(root_ / "other", {{"shop1.csv", text}, {"shop2.csv", text}});
  const json found = evaluation("other");
  EXPECT_EQ(found["overall"].size(), summary()["overall"].size());
  EXPECT_NE(found["test"], summary()["test"]);
}

TEST_F(OtherData, RefuseACategoryThatTheModelDoesNotKnow) {
  train();
  write_tables(root_ / "other", shop_tables(1, "huge"));
  EXPECT_THAT([&] { evaluation("other"); },
              ThrowsMessage<Error>(AllOf(HasSubstr((root_ / "other").string()),
                                         HasSubstr("column 'kind': expected one of the categories that the model knows, found 'huge'"))));
}

TEST_F(OtherData, RefuseAPartWhosePartiesHaveOtherScales) {
  train();
  write_tables(root_ / "other", shop_tables(7, "small"));
  ResolvedConfig resolved = resolve_config(load_config(root_ / "run" / "config.toml"));
  for (const std::string data : {"trained", "other"}) {
    resolved.config.data_root = (root_ / data).string();
    split_problem(resolved, root_ / ("parties_" + data), false);
  }
  EXPECT_EQ(evaluation("parties_trained/server")["test"], summary()["test"]);
  EXPECT_THAT([&] { evaluation("parties_other/server"); },
              ThrowsMessage<Error>(HasSubstr("parties_other/server: facts/features/0/deviation: expected ")));
}

TEST_F(OtherData, AreRefusedWhereTheCheckpointIsOfAnEarlierVersion) {
  train();
  forget_statistics();
  write_tables(root_ / "other", shop_tables(7, "small"));
  EXPECT_EQ(evaluation("trained")["test"], summary()["test"]);
  EXPECT_THAT([&] { evaluation("other"); }, ThrowsMessage<Error>(HasSubstr("does not keep their scales and categories; found others")));
}

}  // namespace
}  // namespace paretofl
