#include "paretofl/runs/model_description.h"

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/model_files/onnx_file.h"

namespace paretofl {
namespace {

std::string json_bytes(const nlohmann::json& json) { return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

Slice slice_of(const nlohmann::json& json) {
  const bool whole = json.is_object() && json.contains("name") && json["name"].is_string() && json.contains("head") &&
                     json["head"].is_number_integer() && json.contains("shape") && json["shape"].is_array();
  expect(whole, "checkpoint: expected a slice with a name, a shape and a head, found '{:.60}'", json_text(json));
  Slice slice{.name = json["name"].get<std::string>(), .shape = {}, .head = json["head"].get<int>(), .range = {}};
  for (const nlohmann::json& extent : json["shape"]) {
    expect(extent.is_number_integer(), "checkpoint: expected whole numbers in the shape of '{}', found '{:.60}'", slice.name,
           json_text(extent));
    slice.shape.push_back(extent.get<std::int64_t>());
  }
  return slice;
}

}  // namespace

ModelDescription ModelDescription::of(const Workload& workload, std::size_t client_models) {
  const auto network = workload.network();
  const nlohmann::json statistics = workload.statistics();
  return {.layout = workload.layout(),
          .objectives = workload.objective_names(),
          .network = network ? onnx_graph(*network) : "",
          .statistics = statistics.empty() ? "" : json_bytes(statistics),
          .client_models = client_models};
}

Record ModelDescription::save() const {
  nlohmann::json slices = nlohmann::json::array();
  for (const Slice& slice : layout->slices()) slices.push_back({{"name", slice.name}, {"shape", slice.shape}, {"head", slice.head}});
  Record state;
  state.scalars = {{"client_models", static_cast<double>(client_models)}};
  state.texts = {{"slices", json_bytes(slices)}, {"objectives", json_bytes(objectives)}, {"network", network}};
  if (!statistics.empty()) state.texts["statistics"] = statistics;
  return state;
}

ModelDescription ModelDescription::load(const Record& state) {
  ModelDescription description;
  const nlohmann::json listed = parse_json(state.text("slices"), "checkpoint: the slices of the model");
  const nlohmann::json names = parse_json(state.text("objectives"), "checkpoint: the names of the objectives");
  expect(listed.is_array() && names.is_array(), "checkpoint: expected lists of slices and of objectives, found something else");
  std::vector<Slice> slices;
  for (const nlohmann::json& slice : listed) slices.push_back(slice_of(slice));
  for (const nlohmann::json& name : names) {
    expect(name.is_string(), "checkpoint: expected the name of an objective, found '{:.60}'", json_text(name));
    description.objectives.push_back(name.get<std::string>());
  }
  description.layout = std::make_shared<Layout>(std::move(slices));
  description.network = state.text("network");
  if (state.texts.contains("statistics")) description.statistics = state.text("statistics");
  description.client_models = static_cast<std::size_t>(count_scalar(state, "client_models"));
  return description;
}

}  // namespace paretofl
