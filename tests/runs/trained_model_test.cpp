#include "paretofl/runs/trained_model.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/model_export.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_evaluation.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class TrainedModels : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// A run with these keys on four clients' quadratics, or on what they say.
  void train(std::vector<std::string> overrides) const {
    RunRequest request;
    request.settings.emplace();
    request.directory = folder_;
    request.overwrite = std::filesystem::exists(folder_);
    request.overrides = {"workload=quadratics", "workload.clients=4", "rounds=2"};
    request.overrides.insert(request.overrides.end(), overrides.begin(), overrides.end());
    run(request);
  }
  json summary() const {
    std::ifstream file(folder_ / "summary.json");
    return json::parse(file);
  }
  json evaluation() const { return json::parse(evaluate_run({.run = folder_}).dump()); }
  /// Changes the newest checkpoint.
  void change(const std::function<void(Record&)>& by) const {
    CheckpointStore store(folder_ / "checkpoints");
    auto newest = store.load_newest();
    by(newest->state);
    store.save(newest->round, std::move(newest->state));
  }
  ExportOutcome write(const std::string& format, std::optional<int> client = std::nullopt) const {
    return export_model({.run = folder_, .format = format, .output = folder_ / "exported", .client = client});
  }
  std::string error_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("paretofl_trained_" + std::to_string(::getpid()));
};

TEST_F(TrainedModels, AreThoseOfTheSummaryForEveryStrategy) {
  std::vector<std::vector<std::string>> variants = {{"fedavg", "private_preferences=true"},
                                                    {"fedavg", "private_preferences=true", "fine_tune=true"},
                                                    {"fedprox", "private_preferences=true"}};
  for (const RegistryEntry* entry : strategies().entries()) {
    variants.push_back({entry->name});
    OptionLister options;
    entry->describe(options);
    const auto has = [&](const char* key) {
      return std::any_of(options.docs().begin(), options.docs().end(), [&](const OptionDoc& doc) { return doc.key == key; });
    };
    if (has("fine_tune") && !has("private_preferences")) variants.push_back({entry->name, "fine_tune=true"});
  }
  for (std::vector<std::string> variant : variants) {
    const std::string name = testing::PrintToString(variant);
    OptionLister options;
    strategies().entry(variant[0]).describe(options);
    for (const OptionDoc& doc : options.docs()) {
      if (doc.key == "cohort_size") variant.push_back("cohort_size=4");
    }
    std::vector<std::string> overrides = {"strategy=" + variant[0]};
    for (std::size_t i = 1; i < variant.size(); ++i) overrides.push_back("strategy." + variant[i]);
    train(overrides);
    const TrainedModel model = TrainedModel::load(folder_);
    EXPECT_EQ(sha256_hex(std::as_bytes(model.newest())), summary()["parameters_sha256"]) << name;
    EXPECT_EQ(model.num_clients(), summary().contains("clients") ? 4U : 0U) << name;
    EXPECT_EQ(model.round(), 2) << name;
    EXPECT_EQ(evaluation()["test"], summary()["test"]) << name;
    EXPECT_EQ(evaluation().value("clients", json()), summary().value("clients", json())) << name;
  }
}

TEST_F(TrainedModels, WithFiguresBeforeTheLastMixing) {
  train({"strategy=matfl", "evaluation.fine_tuned=true"});
  ASSERT_TRUE(summary().contains("fine_tuned"));
  for (const char* key : {"test", "overall", "clients", "fine_tuned"}) EXPECT_EQ(evaluation()[key], summary()[key]) << key;
}

TEST_F(TrainedModels, TheChosenOneIsWrittenAndEvaluated) {
  train({"workload=glyphs", "workload.clients=3", "workload.samples_per_client=20", "workload.validation_fraction=0.2", "rounds=4",
         "evaluation.every=1", "evaluation.choose_by=accuracy/left", "strategy=fedavg", "strategy.cohort_size=3", "strategy.client_lr=2"});
  const json chosen = summary()["chosen"];
  const TrainedModel model = TrainedModel::load(folder_);
  EXPECT_TRUE(model.chosen());
  EXPECT_EQ(model.round(), chosen["round"]);
  EXPECT_EQ(evaluation()["round"], chosen["round"]);
  EXPECT_EQ(evaluation()["chosen_by"], "accuracy/left");
  EXPECT_EQ(evaluation()["test"], chosen["test"]);
  EXPECT_EQ(write("safetensors").round, chosen["round"]);
  const Safetensors file(folder_ / "exported");
  EXPECT_EQ(file.metadata().at("chosen_by"), "accuracy/left");
  const auto bytes = std::as_bytes(model.theta().first(90));
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), file.tensor("encoder.conv1.weight").bytes.begin()));
  EXPECT_LT(model.round(), 4);
  EXPECT_FALSE(std::equal(model.theta().begin(), model.theta().end(), model.newest().begin()));
}

TEST_F(TrainedModels, OfClientsAreNamedByNumber) {
  train({"strategy=no_communication"});
  write("safetensors", 3);
  EXPECT_EQ(Safetensors(folder_ / "exported").metadata().at("client"), "3");
  EXPECT_THAT(error_of([&] { write("numpy"); }),
              HasSubstr("client: expected one of the 4 clients, which have models of their own, found none"));
  EXPECT_THAT(error_of([&] { write("numpy", 4); }), HasSubstr("client: expected a number from 0 to 3, found 4"));
  EXPECT_THAT(error_of([&] { write("numpy", -1); }), HasSubstr("found -1"));
  train({"strategy=fedavg", "strategy.cohort_size=4"});
  EXPECT_THAT(error_of([&] { write("numpy", 0); }), HasSubstr("client: expected none for a run whose clients share one model, found 0"));
}

TEST_F(TrainedModels, OfCheckpointsWithoutADescriptionAreDescribedByTheWorkload) {
  train({"strategy=no_communication"});
  change([](Record& state) { EXPECT_EQ(state.records.erase(ModelDescription::kRecord), 1U); });
  EXPECT_EQ(write("safetensors", 1).tensors, 1U);
  EXPECT_EQ(Safetensors(folder_ / "exported").tensors().begin()->first, "x");
  EXPECT_EQ(evaluation()["clients"], summary()["clients"]);
}

TEST_F(TrainedModels, OfPythonProblemsAreExportedAndEvaluatedInPython) {
  train({"strategy=fedavg", "strategy.cohort_size=4"});
  change([](Record& state) {
    Texts& settings = state.records["settings"].texts;
    settings["workload.name"] = "python";
    settings["workload.problem"] = "Mine";
  });
  EXPECT_GT(write("safetensors").parameters, 0U);
  EXPECT_GT(write("numpy").parameters, 0U);
  EXPECT_THAT(error_of([&] { write("onnx"); }),
              HasSubstr("expected the format safetensors or numpy for the model of the workload python, found onnx"));
  EXPECT_THAT(error_of([&] { evaluation(); }), AllOf(HasSubstr("found the problem Mine of Python code"), HasSubstr(".evaluate()")));
  change([](Record& state) {
    Texts& settings = state.records["settings"].texts;
    settings["workload.name"] = "python_environment";
    settings["workload.environment"] = "Corridor";
  });
  EXPECT_THAT(error_of([&] { evaluation(); }), AllOf(HasSubstr("found the problem Corridor of Python code"), HasSubstr(".evaluate()")));
}

TEST_F(TrainedModels, WhatDoesNotFitIsRefused) {
  EXPECT_THAT(error_of([&] { TrainedModel::load(folder_); }), HasSubstr("expected a run in"));
  train({"strategy=fedavg", "strategy.cohort_size=4"});
  EXPECT_THAT(error_of([&] { write("pickle"); }), HasSubstr("export: expected the format safetensors, numpy or onnx, found 'pickle'"));
  change([](Record& state) { state.records[ModelDescription::kRecord].scalars["client_models"] = 4; });
  EXPECT_THAT(error_of([&] { write("numpy"); }),
              HasSubstr("expected the models of 4 clients in the state of the strategy, found 0 numbers"));
  change([](Record& state) {
    state.records[ModelDescription::kRecord].scalars["client_models"] = 0;
    state.records[ModelDescription::kRecord].texts["slices"] = R"([{"name":"theta","shape":[3],"head":-1}])";
  });
  EXPECT_THAT(error_of([&] { write("numpy"); }), HasSubstr("expected 3 parameters, as their names say, found"));
  std::filesystem::remove_all(folder_ / "checkpoints");
  EXPECT_THAT(error_of([&] { TrainedModel::load(folder_); }), HasSubstr("expected a run with a checkpoint, found none"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoints"));
}

TEST(ModelDescription, ComesBackAsItWasSaved) {
  ModelDescription description{
      .layout = std::make_shared<Layout>(std::vector<Slice>{{.name = "a \"b\"/\xC3\xA9", .shape = {2, 3}, .range = {}},
                                                            {.name = "scalar", .shape = {}, .range = {}},
                                                            {.name = "head", .shape = {4}, .head = 1, .range = {}}}),
      .objectives = {"left", "\xC3\xBC"},
      .network = std::string("\x00\xFFgraph", 7),
      .client_models = 7};
  const ModelDescription loaded = ModelDescription::load(description.save());
  EXPECT_EQ(loaded.save(), description.save());
  EXPECT_EQ(loaded.objectives, description.objectives);
  EXPECT_EQ(loaded.network, description.network);
  EXPECT_EQ(loaded.layout->head(1), (Range{7, 11}));
  EXPECT_EQ(loaded.layout->slices()[0].name, description.layout->slices()[0].name);
}

TEST(ModelDescription, BadTextsAreErrors) {
  for (const char* slices : {"[", "{}", "[1]", R"([{"name":"a","shape":[1]}])", R"([{"name":"a","shape":["x"],"head":-1}])",
                             R"([{"name":"a","shape":[-1],"head":-1}])", R"([{"name":1,"shape":[1],"head":-1}])"}) {
    Record state = ModelDescription{.layout = flat_layout("theta", 2), .objectives = {}, .network = {}, .client_models = 0}.save();
    state.texts["slices"] = slices;
    EXPECT_THROW(ModelDescription::load(state), Error) << slices;
  }
  Record state = ModelDescription{.layout = flat_layout("theta", 2), .objectives = {}, .network = {}, .client_models = 0}.save();
  state.texts["objectives"] = "[1]";
  EXPECT_THROW(ModelDescription::load(state), Error);
}

}  // namespace
}  // namespace paretofl
