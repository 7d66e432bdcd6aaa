#include "paretofl/workloads/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "tests/network_interpreter.h"
#include "tests/simulation.h"
#include "tests/tables/house_tables.h"
#include "tests/tables/written_tables.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

using TableFiles = std::map<std::string, std::string>;

TableOptions house_options() {
  TableOptions options;
  options.targets = {"price", "sold"};
  options.losses = {"squared", "logistic"};
  options.categorical = {"district"};
  options.hidden = {8};
  return options;
}

std::unique_ptr<Table> table_of(const TableFiles& files, const TableOptions& options, std::uint64_t seed = 1) {
  const auto root = table_folder();
  write_tables(root, files);
  return std::make_unique<Table>(options, root, seed);
}

/// Parameters after some rounds of training.
std::vector<float> trained(const Workload& workload, const std::string& strategy, std::uint32_t rounds, std::int64_t threads = 1) {
  std::map<std::string, Settings::Value> values{{"client_lr", 0.05}, {"local_steps", std::int64_t{5}}};
  if (strategy != "no_communication") values["cohort_size"] = static_cast<std::int64_t>(workload.num_clients());
  Simulation simulation(strategy_named(strategy, workload, values), workload, {.runtime = {.threads = threads}});
  return simulation.run(1, rounds);
}

/// The lines below a header in another order.
std::string shuffled(const std::string& text, std::uint64_t seed) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  std::string header;
  std::getline(stream, header);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  Random({seed}, "lines").shuffle(std::span(lines));
  std::string result = header + "\n";
  for (const std::string& line : lines) result += line + "\n";
  return result;
}

TEST(Table, HasAClientForEachFileAndAnObjectiveForEachTarget) {
  const auto table = table_of(house_tables(3, 20), house_options());
  EXPECT_THAT(table->client_names(), ElementsAre("town1", "town2", "town3"));
  EXPECT_THAT(table->objective_names(), ElementsAre("price", "sold"));
  std::vector<std::string> features;
  for (const Feature& feature : table->features()) features.push_back(feature.name());
  EXPECT_THAT(features, ElementsAre("area", "age", "district=hills", "district=lake"));
  EXPECT_EQ(table->oracle(1)->num_samples(), 16);
  EXPECT_EQ(table->layout()->shared().size(), 4U * 8 + 8);
  EXPECT_EQ(table->layout()->head(1).size(), 9U);
  EXPECT_FALSE(table->shares_unit("loss"));
}

TEST(Table, NeitherTheOrderOfRowsNorTheFilesTheyAreInMatter) {
  const TableFiles files = house_tables(3, 20);
  const std::vector<float> expected = trained(*table_of(files, house_options()), "fedcmoo", 4);
  TableFiles mixed;
  for (const auto& [name, text] : files) mixed[name] = shuffled(text, 5);
  EXPECT_EQ(trained(*table_of(mixed, house_options()), "fedcmoo", 4), expected);

  std::string one = "town,area,age,district,price,sold\n";
  for (const auto& [name, text] : files) {
    std::istringstream stream(text);
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) one += name.substr(0, name.find('.')) + "," + line + "\n";
  }
  TableOptions by_column = house_options();
  by_column.client_column = "town";
  const auto merged = table_of({{"all.csv", shuffled(one, 6)}}, by_column);
  EXPECT_EQ(trained(*merged, "fedcmoo", 4), expected);
  EXPECT_THAT(merged->client_names(), ElementsAre("town1", "town2", "town3"));

  TableFiles apart;  // each town in two files
  std::size_t number = 0;
  std::istringstream stream(one);
  std::string header;
  std::getline(stream, header);
  for (std::string line; std::getline(stream, line);) {
    std::string& text = apart[fmt::format("part{}.csv", ++number % 2)];
    if (text.empty()) text = header + "\n";
    text += line + "\n";
  }
  EXPECT_EQ(trained(*table_of(apart, by_column), "fedcmoo", 4), expected);
}

TEST(Table, OtherContentIsAnotherFederation) {
  const std::vector<float> expected = trained(*table_of(house_tables(3, 20), house_options()), "fedcmoo", 2);
  EXPECT_NE(trained(*table_of(house_tables(3, 20, 2), house_options()), "fedcmoo", 2), expected);
  EXPECT_NE(trained(*table_of(house_tables(3, 20), house_options(), 2), "fedcmoo", 2), expected);
}

// Training rows x = 0, 2, 4 and y = 1, 3, 8; by hand: x has mean 2 and variance 8 / 3, y mean 4 and variance 26 / 3. With w = 0.5
// and b = 0.25 in the scaled units, the test row x = 3, y = 6 has the scaled input 1 / sqrt(8 / 3) and target 2 / sqrt(26 / 3).
TEST(Table, EvaluatesByHand) {
  TableOptions options;
  options.targets = {"y", "y"};
  options.losses = {"squared", "absolute"};
  options.split_column = "part";
  options.model = "linear";
  const auto table = table_of({{"a.csv", "x,y,part\n0,1,train\n3,6,test\n4,8,train\n2,3,train\n"}}, options);
  EXPECT_FALSE(table->seed_changes_problem());
  EXPECT_THAT(table->objective_names(), ElementsAre("y:squared", "y:absolute"));
  const std::vector<float> theta{0.5F, 0.25F, 0.5F, 0.25F};
  ThreadPool pool(1);
  const Evaluation found = table->evaluate(theta, Split::kTest, pool);
  const double error = 2 / std::sqrt(26.0 / 3) - (0.5 / std::sqrt(8.0 / 3) + 0.25);
  const double in_units = std::abs(error) * std::sqrt(26.0 / 3);
  EXPECT_THAT(found.per_objective.at("loss"), Pointwise(DoubleNear(1e-6), {error * error, std::abs(error)}));
  EXPECT_THAT(found.per_objective.at("mae"), Pointwise(DoubleNear(1e-5), {in_units, in_units}));
  EXPECT_THAT(found.per_objective.at("rmse"), Pointwise(DoubleNear(1e-5), {in_units, in_units}));
  EXPECT_FALSE(table->has_split(Split::kValidation));

  // One minibatch of all three rows: scaled x is -a, 0, a with a = sqrt(3 / 2), scaled y (-3, -1, 4) / sqrt(26 / 3).
  const auto oracle = table->oracle(0);
  std::vector<float> gradient(4);
  const double loss = oracle->objective_gradient(theta, 0, {Random({1}, "draw"), 0}, gradient);
  double expected_loss = 0;
  double weight_slope = 0;
  double bias_slope = 0;
  for (const auto& [x, y] : {std::pair(-2.0, -3.0), {0.0, -1.0}, {2.0, 4.0}}) {
    const double input = x / std::sqrt(8.0 / 3);
    const double distance = 0.5 * input + 0.25 - y / std::sqrt(26.0 / 3);
    expected_loss += distance * distance / 3;
    weight_slope += 2 * distance * input / 3;
    bias_slope += 2 * distance / 3;
  }
  EXPECT_NEAR(loss, expected_loss, 1e-6);
  EXPECT_THAT(gradient,
              Pointwise(testing::FloatNear(1e-6F), {static_cast<float>(weight_slope), static_cast<float>(bias_slope), 0.0F, 0.0F}));
}

// The median of 1, 3 and 8 is 3, three units from the test row's 6; the mean is 4.
TEST(Table, TheConstantPredictorIsTheBestConstantOfEachLoss) {
  TableOptions options;
  options.targets = {"y", "y", "y"};
  options.losses = {"squared", "absolute", "quantile:0.9"};
  options.split_column = "part";
  options.standardize_targets = false;
  const auto figures = table_of({{"a.csv", "x,y,part\n0,1,train\n3,6,test\n4,8,train\n2,3,train\n"}}, options)->constant_predictor();
  EXPECT_THAT(figures.at("loss"), Pointwise(DoubleNear(1e-6), {4.0, 3.0, 0.2}));
  EXPECT_THAT(figures.at("mae"), Pointwise(DoubleNear(1e-6), {2.0, 3.0, 2.0}));
}

TEST(Table, LearnsBothTargets) {
  for (const char* model : {"mlp", "linear"}) {
    TableOptions options = house_options();
    options.model = model;
    const auto table = table_of(house_tables(4, 100), options);
    ThreadPool pool(2);
    const std::vector<float> theta = trained(*table, options.model == "linear" ? "fedavg" : "fedcmoo", 150);
    const Evaluation found = table->evaluate(theta, Split::kTest, pool);
    const auto constant = table->constant_predictor().at("loss");
    const std::vector<double>& loss = found.per_objective.at("loss");
    EXPECT_LT(loss[0], 0.1 * constant[0]) << model;
    EXPECT_LT(loss[1], 0.5 * constant[1]) << model;
    EXPECT_GT(found.overall.at("accuracy/sold"), 0.85) << model;
    EXPECT_LT(found.overall.at("rmse/price"), 30) << model;
    EXPECT_LE(found.overall.at("mae/price"), found.overall.at("rmse/price")) << model;
  }
}

TEST(Table, AQuantileIsExceededByItsShare) {
  TableOptions options;
  options.targets = {"y", "y"};
  options.losses = {"quantile:0.1", "quantile:0.9"};
  options.model = "linear";
  std::string text = "x,y\n";
  Random random({3}, "noise");
  for (int i = 0; i < 400; ++i) text += fmt::format("{},{}\n", i % 7, random.uniform(0, 10));
  const auto table = table_of({{"a.csv", text}}, options);
  const std::vector<float> theta = trained(*table, "fedavg", 200);
  // The outputs at x's mean, in units of y: its 10 % and 90 % quantiles are 1 and 9.
  const double scale = 10 / std::sqrt(12.0);
  EXPECT_NEAR(5 + scale * static_cast<double>(theta[1]), 1, 0.7);
  EXPECT_NEAR(5 + scale * static_cast<double>(theta[3]), 9, 0.7);
}

TEST(Table, RowsWithoutATargetDoNotCountForItsObjective) {
  TableOptions options = house_options();
  options.missing_targets = "skip";
  options.missing = "mean";
  TableFiles files = house_tables(3, 40);
  files["town2.csv"] += "100,,lake,,yes\n50,10,,120,\n,20,hills,200,no\n";
  const auto table = table_of(files, options);
  EXPECT_EQ(table->oracle(1)->num_samples(), 35);  // of 43, of which a fifth is held out
  ThreadPool pool(1);
  const auto loss = table->evaluate(trained(*table, "fedcmoo", 20), Split::kTest, pool).per_objective.at("loss");
  EXPECT_THAT(loss, testing::Each(testing::Truly([](double x) { return std::isfinite(x) && x < 1; })));
}

TEST(Table, NamesTheSettingsByWhichAModelTellsExactStatistics) {
  TableOptions options = house_options();
  EXPECT_THAT(table_of(house_tables(2, 20), options)->exact_statistics(),
              ElementsAre("workload.standardize = true", "workload.standardize_targets = true"));
  options.standardize = false;
  options.missing = "mean";
  options.targets = {"sold"};
  options.losses = {"logistic"};
  EXPECT_THAT(table_of(house_tables(2, 20), options)->exact_statistics(), ElementsAre("workload.missing = \"mean\""));
  options.missing = "error";
  EXPECT_THAT(table_of(house_tables(2, 20), options)->exact_statistics(), ElementsAre());
}

// Differential privacy of single examples: neither the share of rows that have a label nor another row's label is in it.
TEST(Table, WhatOneRowAddsDoesNotDependOnTheLabelsOfOthers) {
  TableOptions options;
  options.targets = {"y", "z"};
  options.losses = {"squared", "squared"};
  options.split_column = "part";
  options.missing_targets = "skip";
  options.standardize = options.standardize_targets = false;
  const auto added = [&](const std::string& model, const char* other_label) {
    options.model = model;
    const std::string rows = fmt::format("x,y,z,part\n1,0,3,train\n2,1,{},train\n1,1,1,train\n1,2,3,test\n", other_label);
    const auto table = table_of({{"a.csv", rows}}, options);
    const auto oracle = table->oracle(0);
    const std::vector<float> theta(table->layout()->size(), 0.1F);
    std::vector<double> sums(2 * theta.size()), losses(2);
    const std::vector<std::uint32_t> sample{0};
    const ClippedSums clipped{.clip = 1, .loss_clip = 100, .losses = losses, .gradients = sums};
    oracle->add_clipped_samples(theta, GradientTerms::jacobian(2), sample, {Random({1}, "draw")}, clipped);
    oracle->GradientOracle::add_clipped_samples(theta, GradientTerms::jacobian(2), sample, {Random({1}, "draw")}, clipped);
    sums.insert(sums.end(), losses.begin(), losses.end());
    return sums;
  };
  for (const char* model : {"linear", "mlp"}) EXPECT_EQ(added(model, ""), added(model, "5")) << model;
}

// Of ten training rows two have a value of z, and a minibatch of two rows has often none. Five minibatches are one epoch.
TEST(Table, MinibatchesHaveTheLossAndGradientOfARareTargetOnAverage) {
  std::string text = "x,y,z,part\n";
  for (int i = 0; i < 10; ++i) text += fmt::format("{},{},{},train\n", i, i % 3, i == 3 ? "5" : i == 8 ? "11" : "");
  TableOptions options;
  options.targets = {"y", "z"};
  options.losses = {"squared", "squared"};
  options.split_column = "part";
  options.missing_targets = "skip";
  options.model = "linear";
  const std::vector<float> theta{0.5F, 0.25F, 0.5F, 0.25F};
  const auto mean_over = [&](std::int64_t batch_size, int steps) {
    options.batch_size = batch_size;
    const auto table = table_of({{"a.csv", text + "1,2,3,test\n"}}, options);
    const auto oracle = table->oracle(0);
    std::vector<double> mean(2 + 2 * theta.size());  // losses, then the Jacobian
    for (int step = 0; step < steps; ++step) {
      std::vector<double> losses(2);
      std::vector<float> jacobian(2 * theta.size());
      oracle->jacobian(theta, {Random({1}, "draw"), step}, losses, jacobian);
      for (std::size_t k = 0; k < 2; ++k) mean[k] += losses[k] / steps;
      for (std::size_t i = 0; i < jacobian.size(); ++i) mean[2 + i] += static_cast<double>(jacobian[i]) / steps;
    }
    return mean;
  };
  EXPECT_THAT(mean_over(2, 5), Pointwise(DoubleNear(1e-5), mean_over(10, 1)));
}

TEST(Table, AllGradientStrategiesTrainOnAnyThreads) {
  TableOptions options = house_options();
  options.validation_fraction = 0.1;
  const auto table = table_of(house_tables(4, 30), options);
  EXPECT_TRUE(table->has_split(Split::kValidation));
  for (const char* strategy : {"fedavg", "fsmgda", "fedcmoo", "fedcmoo_pref", "firm"}) {
    EXPECT_EQ(trained(*table, strategy, 2, 3), trained(*table, strategy, 2, 1)) << strategy;
  }
}

// Test rows as the files have them; "sea" is in no training row and k does not vary there.
TEST(Table, TheNetworkPredictsAsTheModelDoes) {
  const std::string text =
      "x,k,city,part,y,z,c\n"
      "100,7,lake,train,10,-1,a\n140,7,hills,train,35,+1,b\n190,7,lake,train,60,+1,c\n120,7,hills,train,20,-1,a\n"
      "130,9,sea,test,30,+1,b\n170,7,lake,test,41,-1,c\n110,7,hills,test,8,+1,a\n";
  const std::vector<double> rows{130, 9, 0, 0, 1, 170, 7, 0, 1, 0, 110, 7, 1, 0, 0};  // x, k, hills, lake, sea
  const std::vector<double> y{30, 41, 8};
  const std::vector<bool> positive{true, false, true};
  const std::vector<std::size_t> city{1, 2, 0};
  for (const bool standardize : {true, false}) {
    TableOptions options;
    options.targets = {"y", "z", "c"};
    options.losses = {"absolute", "logistic", "cross_entropy"};
    options.categorical = {"city"};
    options.split_column = "part";
    options.hidden = {6, 4};
    options.activation = standardize ? "tanh" : "relu";
    options.standardize = options.standardize_targets = standardize;
    const auto table = table_of({{"a.csv", text}}, options);
    const std::vector<float> theta = trained(*table, "fedcmoo", 3);
    const auto graph = table->network();
    ASSERT_TRUE(graph.has_value());
    const auto outputs = NetworkInterpreter(*graph, *table->layout(), theta).run({{"features", {{3, 5}, rows}}});
    double distance = 0;
    double binary = 0;
    double likelihood = 0;
    double correct = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      distance += std::abs(outputs.at("y").values[n] - y[n]) / 3;
      const double score = outputs.at("z").values[n];
      binary += std::log(1 + std::exp(positive[n] ? -score : score)) / 3;
      correct += (score > 0) == positive[n] ? 1.0 / 3 : 0;
      const double* scores = outputs.at("c").values.data() + 3 * n;
      likelihood += (std::log(std::exp(scores[0]) + std::exp(scores[1]) + std::exp(scores[2])) - scores[city[n]]) / 3;
    }
    ThreadPool pool(1);
    const Evaluation found = table->evaluate(theta, Split::kTest, pool);
    EXPECT_NEAR(found.overall.at("mae/y"), distance, 1e-3);
    EXPECT_NEAR(found.per_objective.at("loss")[1], binary, 1e-4);
    EXPECT_NEAR(found.overall.at("accuracy/z"), correct, 1e-9);
    EXPECT_NEAR(found.per_objective.at("loss")[2], likelihood, 1e-4);
  }
}

TEST(Table, AnObjectiveWithTheNameOfAnotherValueHasNoNetwork) {
  TableOptions options;
  options.targets = {"features"};
  options.losses = {"squared"};
  EXPECT_FALSE(table_of({{"a.csv", "x,features\n1,2\n2,3\n3,5\n4,6\n5,8\n"}}, options)->network().has_value());
}

/// The message with which such a table is refused, from the name of the file on.
std::string table_refusal(const std::function<void(TableOptions&)>& change, TableFiles files = house_tables(2, 20)) {
  TableOptions options = house_options();
  change(options);
  try {
    table_of(files, options);
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  return "";
}

TEST(Table, EveryMistakeHasOneClearError) {
  const auto set = [](auto TableOptions::*member, auto value) { return [=](TableOptions& options) { options.*member = value; }; };
  const std::vector<std::string> none;
  EXPECT_EQ(table_refusal([](TableOptions&) {}), "");
  EXPECT_THAT(table_refusal(set(&TableOptions::files, "shops/*.csv")),
              testing::AllOf(HasSubstr("workload.files: expected files at"), HasSubstr("(evaluate takes another one with --data)")));
  EXPECT_THAT(table_refusal(set(&TableOptions::targets, none)), HasSubstr("workload.targets: expected at least one column to predict"));
  EXPECT_THAT(table_refusal(set(&TableOptions::targets, std::vector<std::string>{"prize", "sold"})),
              HasSubstr("town1.csv:1, found 'prize'; did you mean 'price'?"));
  EXPECT_THAT(table_refusal(set(&TableOptions::losses, std::vector<std::string>{"squared"})),
              HasSubstr("one loss for each of the 2 targets"));
  EXPECT_THAT(table_refusal(set(&TableOptions::losses, std::vector<std::string>{"squared", "squared"})),
              HasSubstr("town1.csv:2, column 'sold': expected a number, found 'yes'; the losses logistic"));
  EXPECT_THAT(table_refusal(set(&TableOptions::losses, std::vector<std::string>{"logistic", "logistic"})),
              HasSubstr("expected a target of two different values for logistic, found"));
  EXPECT_THAT(table_refusal(set(&TableOptions::categorical, none)),
              HasSubstr("town1.csv:2, column 'district': expected a number, found 'hills'; workload.categorical makes"));
  EXPECT_THAT(table_refusal(set(&TableOptions::categorical, std::vector<std::string>{"city"})),
              HasSubstr("workload.categorical: expected a feature, found 'city'"));
  EXPECT_THAT(table_refusal(set(&TableOptions::features, std::vector<std::string>{"area", "size"})),
              HasSubstr("workload.features: expected a column of"));
  EXPECT_THAT(table_refusal(set(&TableOptions::features, std::vector<std::string>{"district", "price"})),
              HasSubstr("workload.features: expected a column that has no other use, found 'price', which is in workload.targets too"));
  EXPECT_THAT(table_refusal(set(&TableOptions::features, std::vector<std::string>{"district", "district"})),
              HasSubstr("found 'district', which is in workload.features too"));
  EXPECT_THAT(table_refusal(set(&TableOptions::ignored, std::vector<std::string>{"id"})),
              HasSubstr("workload.ignored: expected a column of"));
  EXPECT_THAT(table_refusal(set(&TableOptions::client_column, "town")), HasSubstr("workload.client_column: expected a column of"));
  EXPECT_THAT(table_refusal(set(&TableOptions::split_column, "district")),
              HasSubstr("workload.categorical: expected a feature, found 'district'"));
  EXPECT_THAT(table_refusal(set(&TableOptions::test_fraction, 0.0)), HasSubstr("expected a row held out for testing, found none"));
  EXPECT_THAT(table_refusal(set(&TableOptions::hidden, std::vector<double>{})),
              HasSubstr("workload.hidden: expected the width of at least"));
  EXPECT_THAT(table_refusal(set(&TableOptions::hidden, std::vector<double>{1.5})),
              HasSubstr("workload.hidden: expected whole numbers, found 1.5"));
  EXPECT_THAT(
      table_refusal(set(&TableOptions::separator, "semicolon")),
      HasSubstr("found 'price'; the only column is 'area,age,district,price,sold', which workload.separator = \"comma\" takes apart"));
  EXPECT_THAT(table_refusal(set(&TableOptions::targets, std::vector<std::string>{"profit", "sold"})),
              HasSubstr("town1.csv:1, found 'profit'; the columns are 'area', 'age', 'district', 'price', 'sold'"));
  EXPECT_THAT(table_refusal([](TableOptions& options) {
                options.ignored = {"area", "age", "district"}, options.categorical = {};
              }),
              HasSubstr("workload.features: expected a column of"));
}

TEST(Table, EveryBadFileHasOneClearError) {
  const auto added = [](const std::string& line) {
    TableFiles files = house_tables(2, 20);
    files["town2.csv"] += line;
    return files;
  };
  const auto nothing = [](TableOptions&) {};
  EXPECT_THAT(table_refusal(nothing, added("1,2,lake,3\n")), HasSubstr("town2.csv:22: expected 5 fields as in the header, found 4"));
  EXPECT_THAT(table_refusal(nothing, added("1,,lake,3,yes\n")),
              HasSubstr("town2.csv:22, column 'age': expected a value, found an empty cell; workload.missing = \"mean\" allows it"));
  EXPECT_THAT(table_refusal(nothing, added("1,2,NA,3,yes\n")), HasSubstr("town2.csv:22, column 'district': expected a value, found 'NA'"));
  EXPECT_THAT(table_refusal(nothing, added("1,2,lake,3,\n")),
              HasSubstr("town2.csv:22, column 'sold': expected a value, found an empty cell; workload.missing_targets = \"skip\""));
  EXPECT_THAT(table_refusal(nothing, added("1,2,lake,3,maybe\n")), HasSubstr("found 3 in 'sold' ('maybe', 'no', 'yes')"));
  EXPECT_THAT(table_refusal(nothing, added("\"1\",2,lake,3,\"yes")), HasSubstr("town2.csv:22: expected a closing quote for field 5"));
  EXPECT_THAT(table_refusal(nothing, {{"a.csv", ""}}), HasSubstr("a.csv: expected a header"));
  EXPECT_THAT(table_refusal(nothing, {{"a.csv", "area,age,district,price,sold\n"}}),
              HasSubstr("a.csv: expected at least one row, found none"));
  EXPECT_THAT(table_refusal(nothing, {{"a.csv", "area,age,district,price,sold\n1,2,lake,3,no\n"}}),
              HasSubstr("expected a row held out for testing, found none"));
  TableFiles more = house_tables(2, 20);
  more["town3.csv"] = "area,age,district,price,sold,id\n1,2,lake,3,no,7\n";
  EXPECT_THAT(table_refusal(nothing, more), HasSubstr("town3.csv:1: expected the columns of"));
  EXPECT_THAT(table_refusal([](TableOptions& options) { options.split_column = "part"; }, {{"a.csv",
                                                                                            "area,district,price,sold,part\n"
                                                                                            "1,lake,2,yes,train\n2,lake,3,no,dev\n"}}),
              HasSubstr("expected train, validation or test in column 'part', found 'dev'"));
  EXPECT_THAT(
      table_refusal([](TableOptions& options) { options.split_column = "part"; },
                    {{"a.csv", "area,district,price,sold,part\n1,lake,2,yes,train\n2,lake,3,no,test\n"}}),
      HasSubstr("workload.standardize_targets: expected a target that varies over the training rows, found 2 everywhere in 'price'"));
  EXPECT_THAT(table_refusal([](TableOptions& options) { options.split_column = "part"; },
                            {{"a.csv", "area,district,price,sold,part\n1,lake,2,yes,train\n2,lake,3,no,test\n"},
                             {"b.csv", "area,district,price,sold,part\n1,lake,2,yes,test\n"}}),
              HasSubstr("expected a training row of every client, found none of 'b', which has 1 rows in all"));
  EXPECT_THAT(table_refusal([](TableOptions& options) { options.split_column = "part", options.missing_targets = "skip"; },
                            {{"a.csv", "area,district,price,sold,part\n1,lake,2,yes,train\n4,lake,3,no,train\n2,lake,3,,test\n"}}),
              HasSubstr("expected a row for testing with a value of 'sold', found none"));
}

TEST(Table, WarnsOfFilesThatItsPatternLeavesOut) {
  TableFiles files = house_tables(3, 20);
  files["town3.CSV"] = files["town3.csv"];
  files.erase("town3.csv");
  testing::internal::CaptureStderr();
  EXPECT_EQ(table_of(files, house_options())->num_clients(), 2);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::ContainsRegex("workload.files: files that '\\*.csv' leaves out for their endings: 1, the first .*town3.CSV"));
  TableOptions folder = house_options();
  folder.files = ".";
  testing::internal::CaptureStderr();
  EXPECT_EQ(table_of(files, folder)->num_clients(), 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Table, OptionsAreReadAndDocumented) {
  Settings settings;
  settings.values = {{"targets", std::vector<std::string>{"a"}}, {"losses", std::vector<std::string>{"absolute"}}};
  EXPECT_EQ(read_options<TableOptions>(settings, "workload").losses, std::vector<std::string>{"absolute"});
  settings.values["targets"] = "a";
  EXPECT_THAT([&] { read_options<TableOptions>(settings, "workload"); },
              testing::ThrowsMessage<Error>(HasSubstr("config: expected a list of texts for workload.targets, found a text (\"a\")")));
}

TEST(Table, WhatClientsFindOnTheirTestRowsIsWhatTheServerFindsOnAllOfThem) {
  const auto table = table_of(house_tables(6, 40), house_options());
  ThreadPool pool(1);
  const std::vector<float> theta = trained(*table, "fedavg", 2);
  HeldOutFigures all;
  for (int client = 0; client < table->num_clients(); ++client) all += table->evaluate_held_out(client, theta, pool);
  const Evaluation server = table->evaluate(theta, Split::kTest, pool);
  const auto means = all.means();
  EXPECT_THAT(means.at("loss"), Pointwise(DoubleNear(1e-9), server.per_objective.at("loss")));
  EXPECT_NEAR(means.at("mae")[0], server.overall.at("mae/price"), 1e-6 * server.overall.at("mae/price"));
  EXPECT_NEAR(means.at("accuracy")[1], server.overall.at("accuracy/sold"), 1e-12);
  EXPECT_TRUE(std::isnan(means.at("accuracy")[0]));
  EXPECT_TRUE(std::isnan(means.at("mae")[1]));
}

}  // namespace
}  // namespace paretofl
