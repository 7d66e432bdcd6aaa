#include "paretofl/tables/table_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/whole_file.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;

Json feature_json(const Feature& feature, bool missing_is_mean) {
  if (feature.category) return {{"column", feature.column}, {"value", feature.value}, {"seen", feature.seen}};
  if (feature.standardized) return {{"column", feature.column}, {"mean", feature.scale.mean}, {"deviation", feature.scale.deviation}};
  Json json{{"column", feature.column}, {"mean", 0}, {"deviation", 1}};
  if (missing_is_mean) json["missing"] = feature.scale.mean;
  return json;
}

/// Adds the weight, row by row, and the bias of a layer.
void add_layer(Json& json, const Layout& layout, std::span<const float> theta, const std::string& name) {
  const Slice& weight = layout.slice(name + ".weight");
  const Range& bias = layout.slice(name + ".bias").range;
  const auto in = static_cast<std::size_t>(weight.shape[1]);
  json["weight"] = Json::array();
  for (std::size_t at = weight.range.begin; at < weight.range.end; at += in) {
    const auto row = theta.subspan(at, in);
    json["weight"].push_back(std::vector<float>(row.begin(), row.end()));
  }
  const auto values = theta.subspan(bias.begin, bias.size());
  json["bias"] = std::vector<float>(values.begin(), values.end());
}

}  // namespace

void write_table_model(const TableModel& model, const Layout& layout, std::span<const float> theta, const std::filesystem::path& folder) {
  expect(theta.size() == layout.size(), "model: expected {} parameters, found {}", layout.size(), theta.size());
  Json json{{"features", Json::array()}, {"activation", model.activation}, {"layers", Json::array()}, {"targets", Json::array()}};
  for (const Feature& feature : model.features) json["features"].push_back(feature_json(feature, model.missing_is_mean));
  std::size_t layers = 0;
  for (const Slice& slice : layout.slices()) layers += slice.name.starts_with("body.") && slice.name.ends_with(".weight") ? 1 : 0;
  for (std::size_t l = 0; l < layers; ++l) add_layer(json["layers"].emplace_back(Json::object()), layout, theta, fmt::format("body.{}", l));
  for (std::size_t k = 0; k < model.objectives.size(); ++k) {
    const TargetValues& values = model.targets[k];
    Json target{{"objective", model.objectives[k].name}, {"column", model.objectives[k].column}, {"loss", model.objectives[k].loss}};
    if (values.head.has_labels()) {
      target["classes"] = values.classes;
    } else {
      target["mean"] = values.mean;
      target["deviation"] = values.scale;
    }
    add_layer(target, layout, theta, fmt::format("head{}", k));
    json["targets"].push_back(std::move(target));
  }
  std::filesystem::create_directories(folder);
  write_whole_file(folder / "table.json", json_text(json, 1) + "\n");
}

}  // namespace paretofl
