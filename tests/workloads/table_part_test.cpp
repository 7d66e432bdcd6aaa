// A party's folder of a table, and folders that a party writes itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/runs/problem_split.h"
#include "paretofl/workloads/table.h"
#include "tests/tables/house_tables.h"
#include "tests/tables/written_tables.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A run of tables with the settings, split.
struct SplitTables {
  std::filesystem::path root = table_folder();
  RunConfig config;

  SplitTables(const std::map<std::string, std::string>& files, const Settings& settings) {
    write_tables(root / "data", files);
    config.workload = {"table", settings};
    config.data_root = (root / "data").string();
    split_problem({config, {}}, root / "split", true);
  }
  std::filesystem::path folder(std::optional<int> client) const { return part_folder(root / "split", client); }
  std::unique_ptr<Workload> part(std::optional<int> client) const { return make_workload(config, ProblemPart{folder(client), client}); }
  std::unique_ptr<Workload> all() const { return make_workload(config); }
};

Settings house_settings() {
  return {.values = {{"targets", std::vector<std::string>{"price", "sold"}},
                     {"losses", std::vector<std::string>{"squared", "logistic"}},
                     {"categorical", std::vector<std::string>{"district"}},
                     {"validation_fraction", 0.1},
                     {"batch_size", std::int64_t{8}}},
          .tables = {}};
}

std::vector<float> first_jacobian(const Workload& workload, int client, std::vector<double>& losses) {
  const Parameters theta = workload.initial_parameters();
  const auto oracle = workload.oracle(client);
  losses.resize(oracle->num_objectives());
  std::vector<float> rows(losses.size() * theta.size());
  oracle->jacobian(theta.values(), {Random({1, 1, 1}, "test"), 3}, losses, rows);
  return rows;
}

void expect_same_jacobian(const Workload& one, const Workload& other, int client) {
  std::vector<double> first;
  std::vector<double> second;
  EXPECT_EQ(first_jacobian(one, client, first), first_jacobian(other, client, second));
  EXPECT_EQ(first, second);
}

/// Area and price of the rows of a file.
std::multiset<std::pair<double, double>> houses_in(const std::filesystem::path& file) {
  std::multiset<std::pair<double, double>> houses;
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  std::vector<std::string> names;
  for (std::stringstream cells(line); std::getline(cells, line, ',');) names.push_back(line);
  while (std::getline(stream, line)) {
    std::map<std::string, std::string> row;
    std::stringstream cells(line);
    for (const std::string& name : names) std::getline(cells, row[name], ',');
    houses.emplace(std::stod(row.at("area")), std::stod(row.at("price")));
  }
  return houses;
}

TEST(TablePart, AClientsFolderHoldsItsOwnRowsAndTheServersAllThatAreHeldOut) {
  const SplitTables split(house_tables(3, 20), house_settings());
  std::multiset<std::pair<double, double>> held_out;
  for (int client = 0; client < 3; ++client) {
    auto own = houses_in(split.folder(client) / "train.csv");
    EXPECT_EQ(own.size(), 14U);
    for (const char* file : {"validation.csv", "test.csv"}) {
      const auto rows = houses_in(split.folder(client) / file);
      own.insert(rows.begin(), rows.end());
      held_out.insert(rows.begin(), rows.end());
    }
    EXPECT_EQ(own, houses_in(split.root / fmt::format("data/town{}.csv", client + 1)));
  }
  auto servers = houses_in(split.folder({}) / "validation.csv");
  servers.merge(houses_in(split.folder({}) / "test.csv"));
  EXPECT_EQ(servers, held_out);
  EXPECT_FALSE(std::filesystem::exists(split.folder({}) / "train.csv"));
}

TEST(TablePart, MissingValuesQuotedNamesAndClientsInAColumnAreTheSimulations) {
  std::string text = "who,\"a, b\",colour,age,split,y,\"n \"\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("{},{},{},{},{},{},{}\n", i % 2 == 0 ? "x" : "y", i % 7 == 0 ? "" : fmt::format("{}e-3", i * i),
                        i % 5 == 0   ? ""
                        : i % 3 == 0 ? "\"red, dark\""
                                     : "blue",
                        i + 0.1, i % 4 == 0 ? "test" : "train", i % 6 == 1 ? "" : fmt::format("{}", i % 3),
                        i % 9 == 0 ? "" : fmt::format("{}", 0.1 * i));
  }
  const SplitTables split({{"rows.csv", text}}, {.values = {{"client_column", std::string("who")},
                                                            {"split_column", std::string("split")},
                                                            {"targets", std::vector<std::string>{"y", "n "}},
                                                            {"losses", std::vector<std::string>{"cross_entropy", "quantile:0.9"}},
                                                            {"categorical", std::vector<std::string>{"colour"}},
                                                            {"missing", std::string("mean")},
                                                            {"missing_targets", std::string("skip")},
                                                            {"batch_size", std::int64_t{4}}},
                                                 .tables = {}});
  const auto all = split.all();
  for (const int client : {0, 1}) {
    const auto one = split.part(client);
    expect_same_jacobian(*one, *all, client);
    EXPECT_EQ(one->facts(), all->facts());
  }
  ThreadPool pool(1);
  const Parameters theta = all->initial_parameters();
  EXPECT_EQ(split.part({})->evaluate(theta.values(), Split::kTest, pool).per_objective,
            all->evaluate(theta.values(), Split::kTest, pool).per_objective);
}

// No mean of the training rows is in what a run or a split makes public, unless something takes it.
TEST(TablePart, WithoutScalesNoneAreTold) {
  Settings settings = house_settings();
  settings.values["standardize"] = false;
  settings.values["standardize_targets"] = false;
  const SplitTables split(house_tables(2, 20), settings);
  const auto all = split.all();
  const std::filesystem::path folder = split.root / "model";
  all->write_model(all->initial_parameters().values(), folder);
  nlohmann::json model;
  std::ifstream(folder / "table.json") >> model;
  std::size_t numbers = 0;
  for (const nlohmann::json& feature : model["features"]) {
    if (!feature.contains("mean")) continue;
    EXPECT_EQ(feature, nlohmann::json({{"column", feature["column"]}, {"mean", 0}, {"deviation", 1}}));
    ++numbers;
  }
  EXPECT_EQ(numbers, 2U);
  for (const nlohmann::json& told : {all->facts(), all->statistics()}) {
    for (const nlohmann::json& feature : told["features"]) EXPECT_EQ(feature.value("mean", 0.0), 0) << feature;
  }
}

TEST(TablePart, APartyMayWriteItsFolderItself) {
  const SplitTables split(house_tables(2, 20), house_settings());
  const std::filesystem::path folder = split.folder(1);
  const auto write = [&](const std::string& text) { std::ofstream(folder / "train.csv") << text; };
  const std::string header = "sold,price,note,district,age,area\n";  // in any order, and more
  write(header + "yes,300.5,x,lake,3,100\nno,10,y,hills,50,40.25\n");
  EXPECT_EQ(split.part(1)->oracle(1)->num_samples(), 2);
  const auto expect_refused = [&](const std::string& message) {
    EXPECT_THAT([&] { split.part(1); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  write(header + "perhaps,300.5,x,lake,3,100\n");
  expect_refused("column 'sold': expected one of the 2 classes that the model knows ('no', 'yes'), found 'perhaps'");
  write(header + "yes,300.5,x,sea,3,100\n");
  expect_refused("column 'district': expected one of the categories that the model knows, found 'sea'");
  write(header + "yes,,x,lake,3,100\n");
  expect_refused("train.csv:2, column 'price': expected a value");
  write("sold,price,district,age\nyes,1,lake,2\n");
  expect_refused("expected a column of ");
  write(header + "yes,300.5,x,lake,3,100,7\n");
  expect_refused("train.csv:2");
  std::filesystem::remove(folder / "train.csv");
  expect_refused("train.csv");
}

TEST(TablePart, AClientWithoutHeldOutRowsHasNoSplit) {
  const SplitTables split(house_tables(2, 20), house_settings());
  EXPECT_TRUE(split.part(0)->has_split(Split::kTest));
  std::filesystem::remove(split.folder(0) / "test.csv");
  EXPECT_FALSE(split.part(0)->has_split(Split::kTest));
  EXPECT_TRUE(split.part(0)->has_split(Split::kValidation));
  EXPECT_TRUE(split.part(0)->constant_predictor().empty());
}

}  // namespace
}  // namespace paretofl
