#include "paretofl/runs/model_export.h"

#include <fmt/format.h>

#include <map>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/model_files/npz.h"
#include "paretofl/model_files/onnx_file.h"
#include "paretofl/model_files/safetensors.h"
#include "paretofl/parties/problem_part.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/trained_model.h"

namespace paretofl {
namespace {

using Metadata = std::map<std::string, std::string>;

ModelDescription exported_description(const TrainedModel& model, const std::filesystem::path& run) {
  if (model.description()) return *model.description();
  // An older checkpoint: the workload knows.
  const RunConfig config = resolve_config(load_config(RunDirectory::config_of(run))).config;
  return ModelDescription::of(*make_workload(config, part_in(config.data_root)), model.num_clients());
}

Metadata metadata_of(const TrainedModel& model, const ModelDescription& description, const ExportRequest& request) {
  Metadata metadata{{"paretofl_format", std::to_string(kExportVersion)},
                    {"workload", model.setting("workload.name")},
                    {"strategy", model.setting("strategy.name")},
                    {"seed", model.setting("seed")},
                    {"round", std::to_string(model.round())},
                    {"objectives", json_text(nlohmann::json(description.objectives))}};
  if (request.client) metadata["client"] = std::to_string(*request.client);
  if (request.preference) metadata["preference"] = json_text(nlohmann::json(*request.preference));
  if (model.chosen()) metadata["chosen_by"] = model.setting("evaluation.choose_by");
  return metadata;
}

std::map<std::string, StoredTensor, std::less<>> tensors_of(const Layout& layout, std::span<const float> theta) {
  std::map<std::string, StoredTensor, std::less<>> tensors;
  for (const Slice& slice : layout.slices()) {
    const auto values = theta.subspan(slice.range.begin, slice.range.size());
    tensors[slice.name] = {.type = TensorType::kFloat32, .shape = slice.shape, .bytes = std::as_bytes(values)};
  }
  return tensors;
}

}  // namespace

ExportOutcome export_model(const ExportRequest& request) {
  expect(request.format == "safetensors" || request.format == "numpy" || request.format == "onnx",
         "export: expected the format {}, found '{}'", kExportFormats, request.format);
  expect(!request.client || !request.preference, "export: expected a client or a preference, found both");
  const TrainedModel model = TrainedModel::load(request.run);
  const std::vector<float> preferred = request.preference ? model.at(*request.preference) : std::vector<float>();
  const std::span<const float> theta = request.preference ? std::span<const float>(preferred) : model.theta(request.client);
  const ModelDescription description = exported_description(model, request.run);
  const Layout& layout = *description.layout;
  expect(layout.size() == theta.size(), "export: expected a model of {} parameters, as config.toml says, found {}", layout.size(),
         theta.size());
  const Metadata metadata = metadata_of(model, description, request);
  if (request.format == "onnx") {
    expect(!description.network.empty(), "export: expected the format safetensors or numpy for the model of the workload {}, found onnx",
           model.setting("workload.name"));
    write_onnx(request.output, description.network, layout, theta, metadata);
  } else if (request.format == "numpy") {
    write_npz(request.output, tensors_of(layout, theta));
  } else {
    write_safetensors(request.output, tensors_of(layout, theta), metadata);
  }
  return {.round = model.round(), .tensors = layout.slices().size(), .parameters = layout.size()};
}

}  // namespace paretofl
