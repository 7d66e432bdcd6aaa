#include "paretofl/runs/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <class Body>
void expect_error(Body body, const std::string& expected, const std::string& found) {
  EXPECT_THAT(body, ThrowsMessage<Error>(AllOf(HasSubstr(expected), HasSubstr(found))));
}

const char* const kMinimal = "[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n";

TEST(Config, ReadsValuesAndTables) {
  const Settings settings = parse_config("a = 1\nb = 2.5\nc = true\nd = \"x\"\ne = [1, 2.5]\nf = [\"p\"]\n[t.u]\ng = -3\n", "test.toml");
  EXPECT_EQ(settings.values.at("a"), Settings::Value(std::int64_t{1}));
  EXPECT_EQ(settings.values.at("b"), Settings::Value(2.5));
  EXPECT_EQ(settings.values.at("c"), Settings::Value(true));
  EXPECT_EQ(settings.values.at("d"), Settings::Value(std::string("x")));
  EXPECT_EQ(settings.values.at("e"), Settings::Value(std::vector<double>{1, 2.5}));
  EXPECT_EQ(settings.values.at("f"), Settings::Value(std::vector<std::string>{"p"}));
  EXPECT_EQ(settings.tables.at("t").tables.at("u").values.at("g"), Settings::Value(std::int64_t{-3}));
}

TEST(Config, WritesWhatItReadsBack) {
  const Settings settings = parse_config(
      "a = 1\nb = 1e-300\nc = 0.1\nd = \"quote \\\" and \\\\ and \\n and é\"\ne = [0.1, 1e20]\n\"odd key\" = inf\n[t]\n[t.u]\ng = []\n",
      "test.toml");
  EXPECT_EQ(parse_config(to_toml(settings), "again.toml"), settings);
}

TEST(Config, SaysWhereItIsNotToml) {
  expect_error([] { parse_config("a = 1\nb = = 2\n", "bad.toml"); }, "bad.toml:2:", "expected TOML");
  expect_error([] { parse_config("a = 1979-05-27\n", "bad.toml"); }, "bad.toml:1", "found a date or time");
  expect_error([] { parse_config("a = [1, \"x\"]\n", "bad.toml"); }, "bad.toml:1", "list");
  expect_error([] { load_config("no/such/file.toml"); }, "no/such/file.toml: expected a file", "found none");
  expect_error([] { load_config("/"); }, "/: expected a file", "found a folder");
  const std::string empty = testing::TempDir() + "empty.toml";
  std::ofstream(empty).flush();
  expect_error([&] { load_config(empty); }, "expected a TOML file", "found an empty one");
}

TEST(Config, OverridesMakeTablesAndReplaceValues) {
  Settings settings = parse_config("[strategy]\nname = \"fedcmoo\"\nsolver = \"fixed\"\n", "test.toml");
  apply_override(settings, "strategy.solver.name=min_norm");
  apply_override(settings, "runtime.threads=4");
  apply_override(settings, "data.root=/some/folder with=equals");
  EXPECT_EQ(settings.tables.at("strategy").tables.at("solver").values.at("name"), Settings::Value(std::string("min_norm")));
  EXPECT_FALSE(settings.tables.at("strategy").values.contains("solver"));
  EXPECT_EQ(settings.tables.at("runtime").values.at("threads"), Settings::Value(std::int64_t{4}));
  EXPECT_EQ(settings.tables.at("data").values.at("root"), Settings::Value(std::string("/some/folder with=equals")));
  apply_override(settings, "strategy.solver=fixed");
  EXPECT_EQ(settings.tables.at("strategy").values.at("solver"), Settings::Value(std::string("fixed")));
  expect_error([&] { apply_override(settings, "strategy=fedavg"); }, "such as strategy.name=fedavg", "would drop all other settings");
  EXPECT_TRUE(settings.tables.contains("strategy"));
  apply_override(settings, "workload.name=quadratics");
  apply_override(settings, "workload=glyphs");
  EXPECT_EQ(settings.values.at("workload"), Settings::Value(std::string("glyphs"))) << "a name alone drops nothing";
  expect_error([&] { apply_override(settings, "rounds"); }, "expected key=value", "'rounds'");
  expect_error([&] { apply_override(settings, "=3"); }, "expected key=value", "'=3'");
  expect_error([&] { apply_override(settings, "a.=3"); }, "expected key=value", "'a.=3'");
}

TEST(Config, OverridesNameAPartBeforeTheySetItsOptions) {
  const std::vector<std::string> given = {"strategy.solver.beta=0.1", "rounds=2", "strategy.solver=min_norm", "rounds=3"};
  Settings settings = parse_config("[strategy]\nname = \"fedcmoo\"\n[strategy.solver]\nname = \"fixed\"\nsteps = 7\n", "test.toml");
  apply_overrides(settings, given);
  const Settings& solver = settings.tables.at("strategy").tables.at("solver");
  EXPECT_EQ(solver.values.at("name"), Settings::Value(std::string("min_norm")));
  EXPECT_EQ(solver.values.at("beta"), Settings::Value(0.1));
  EXPECT_FALSE(solver.values.contains("steps")) << "an option of the part that the file named";
  EXPECT_EQ(settings.values.at("rounds"), Settings::Value(std::int64_t{3})) << "the last of one key";
  expect_error([&] { apply_overrides(settings, {"a.b=1", "rounds"}); }, "expected key=value", "'rounds'");
}

TEST(Config, OverridesAreWhatAFileCanHold) {
  Settings settings;
  apply_override(settings, "strategy.name=\"a\\tb\"");
  apply_override(settings, "data.root=/data/\xc3\xa9 \"x\"");
  EXPECT_EQ(parse_config(to_toml(settings), "written"), settings);
  EXPECT_EQ(std::get<std::string>(settings.tables.at("data").values.at("root")), "/data/\xc3\xa9 \"x\"");
  EXPECT_THAT([&] { apply_override(settings, "data.root=/data/\xe9"); },
              ThrowsMessage<Error>(HasSubstr("--set: expected a TOML value or UTF-8 text")));
}

TEST(Config, ListsHoldIntegersThatDoublesRound) {
  EXPECT_EQ(parse_value("[9007199254740993, 1]", "x"), Settings::Value(std::vector{9007199254740992.0, 1.0}));
  EXPECT_THAT([] { parse_value("[[1, 2], [3]]", "strategy.preference"); },
              ThrowsMessage<Error>(HasSubstr("for strategy.preference, found another kind of list")));
}

TEST(RunConfig, ResolvesEveryDefault) {
  const ResolvedConfig resolved = resolve_config(parse_config(kMinimal, "test.toml"));
  EXPECT_EQ(resolved.config.runtime.name, "threads");
  const Settings& strategy = resolved.resolved.tables.at("strategy");
  EXPECT_EQ(strategy.values.at("local_steps"), Settings::Value(std::int64_t{10}));
  EXPECT_EQ(strategy.tables.at("server_optimizer").values.at("name"), Settings::Value(std::string("sgd")));
  for (const char* table : {"runtime", "evaluation", "data", "checkpoint", "workload"}) {
    EXPECT_TRUE(resolved.resolved.tables.contains(table)) << table;
  }
  const Settings again = parse_config(to_toml(resolved.resolved), "again.toml");
  EXPECT_EQ(resolve_config(again).resolved, resolved.resolved);
}

TEST(RunConfig, RejectsWhatItDoesNotKnow) {
  const auto with = [](const std::string& override) {
    return [override] {
      Settings settings = parse_config(kMinimal, "test.toml");
      apply_override(settings, override);
      resolve_config(settings);
    };
  };
  expect_error(with("round=3"), "found round", "did you mean rounds?");
  expect_error(with("strategy.cohort=3"), "found strategy.cohort", "did you mean strategy.cohort_size?");
  expect_error(with("strategy.server_optimizer.rate=3"), "found strategy.server_optimizer.rate", "did you mean");
  expect_error(with("strategy.name=fedagv"), "expected one of fedavg", "found 'fedagv'");
  expect_error(with("workload.name=mnist"), "expected one of quadratics", "found 'mnist'");
  expect_error(with("runtime.name=cloud"), "expected one of", "found 'cloud'");
  expect_error(with("strategy.server_optimizer=rmsprop"), "expected one of sgd", "found 'rmsprop'");
  expect_error(with("rounds=0"), "expected rounds >= 1", "found 0");
  expect_error(with("rounds=many"), "expected an integer for rounds", "\"many\"");
  expect_error(with("rounds=2.5"), "expected an integer for rounds", "2.5");
  expect_error(with("strategy.client_lr=-1"), "strategy.client_lr >= 0", "found -1");
  expect_error(with("strategy.client_lr=nan"), "strategy.client_lr", "found nan");
  expect_error(with("strategy.client_weighting=all"), "one of uniform, samples", "found 'all'");
  expect_error(with("runtime.threads=0"), "runtime.threads 1 to 256", "found 0");
  expect_error(with("evaluation=3"), "expected a table evaluation", "found a value");
  expect_error(with("strategy.local_steps.deep=3"), "expected a value for strategy.local_steps", "found a table");
  expect_error([] { resolve_config(parse_config("[workload]\nname = \"quadratics\"\n", "test.toml")); }, "expected strategy.name",
               "found none");
}

}  // namespace
}  // namespace paretofl
