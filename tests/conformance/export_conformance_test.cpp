// What every registered workload promises of a run's trained model: it is exported, and evaluated again with the same figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/runs/model_export.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_evaluation.h"
#include "paretofl/runs/trained_model.h"
#include "tests/conformance/small_workload.h"

namespace paretofl {
namespace {

using nlohmann::json;

/// Those whose models are networks that other programs can run.
const std::set<std::string> kWithNetworks = {
    "tabular_mdp",  "glyphs",     "qm9",           "qm9_geometries",    "faces",    "celeba",       "celeba5",
    "mnist_fmnist", "multimnist", "cifar10_mnist", "deep_sea_treasure", "minecart", "lunar_lander", "lunar_lander_continuous",
    "half_cheetah", "table"};

class ExportConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static void SetUpTestSuite() {
    root = empty_folder("export_conformance");
    write_small_data(root);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(root); }

  /// A run of one round by a strategy that suits the workload.
  std::filesystem::path trained() const {
    const auto workload = workloads().at(GetParam()->name).make(small_settings(*GetParam()), {1, root});
    const std::string strategy = workload->has_gradients()         ? "fedavg"
                                 : workload->has_objective_steps() ? "firm"
                                 : workload->has_reward_steps()    ? "fedgrpo"
                                                                   : "no_communication";
    Settings settings;
    settings.values = {{"seed", std::int64_t{1}}, {"rounds", std::int64_t{1}}};
    settings.tables["data"].values = {{"root", root.string()}};
    settings.tables["workload"] = small_settings(*GetParam());
    settings.tables["workload"].values["name"] = GetParam()->name;
    settings.tables["strategy"].values = {{"name", strategy}, {"local_steps", std::int64_t{2}}, {"client_lr", 1e-3}};
    if (strategy != "no_communication") settings.tables["strategy"].values["cohort_size"] = std::int64_t{2};
    if (strategy == "no_communication") settings.tables["strategy"].values["optimizer"] = "adam";
    RunRequest request;
    request.directory = root / "run";
    request.overwrite = std::filesystem::exists(root / "run");
    request.settings = settings;
    return run(request).directory;
  }

  static inline std::filesystem::path root;
};

TEST_P(ExportConformance, ATrainedModelIsExportedAndEvaluatedAgain) {
  const std::filesystem::path folder = trained();
  const TrainedModel model = TrainedModel::load(folder);
  ASSERT_TRUE(model.description().has_value());
  const Layout& layout = *model.description()->layout;
  const std::optional<int> client = model.num_clients() > 0 ? std::optional(2) : std::nullopt;
  const auto write = [&](const std::string& format) {
    return export_model({.run = folder, .format = format, .output = folder / ("model." + format), .client = client});
  };

  EXPECT_EQ(write("safetensors").parameters, layout.size());
  const Safetensors file(folder / "model.safetensors");
  EXPECT_EQ(file.tensors().size(), layout.slices().size());
  for (const Slice& slice : layout.slices()) {
    const StoredTensor& tensor = file.tensor(slice.name);
    EXPECT_EQ(tensor.shape, slice.shape) << slice.name;
    const auto bytes = std::as_bytes(model.theta(client).subspan(slice.range.begin, slice.range.size()));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), tensor.bytes.begin(), tensor.bytes.end())) << slice.name;
  }
  EXPECT_EQ(file.metadata().at("workload"), GetParam()->name);
  if (const auto adapter = folder / "model/adapter_model.safetensors"; std::filesystem::exists(adapter)) {
    const Safetensors own(adapter);
    EXPECT_EQ(own.tensors().size(), file.tensors().size());
    for (const auto& [name, tensor] : own.tensors()) {
      const auto bytes = file.tensor(name).bytes;
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), tensor.bytes.begin(), tensor.bytes.end())) << name;
    }
  }
  EXPECT_EQ(file.metadata().at("round"), "1");
  EXPECT_EQ(write("numpy").tensors, layout.slices().size());
  EXPECT_GT(std::filesystem::file_size(folder / "model.numpy"), 4 * layout.size());
  EXPECT_TRUE(!kWithNetworks.contains(GetParam()->name) || !model.description()->network.empty());
  if (model.description()->network.empty()) {
    EXPECT_THAT([&] { write("onnx"); }, testing::ThrowsMessage<Error>(testing::HasSubstr("expected the format safetensors or numpy")));
  } else {
    write("onnx");
    EXPECT_TRUE(std::filesystem::exists(folder / "model.onnx"));
  }

  std::ifstream summary_file(folder / "summary.json");
  const json summary = json::parse(summary_file);
  const json evaluation = json::parse(evaluate_run({.run = folder}).dump());
  EXPECT_EQ(evaluation["round"], 1);
  for (const char* key : {"test", "overall", "clients", "fine_tuned", "objectives"}) {
    EXPECT_EQ(evaluation.contains(key), summary.contains(key)) << key;
    EXPECT_EQ(evaluation.value(key, json()), summary.value(key, json())) << key;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExportConformance, testing::ValuesIn(workloads().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
