#include "paretofl/tables/table_facts.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/scale_number.h"

namespace paretofl {
namespace {

using nlohmann::json;

void check_mean(const JsonObject& object, double mean) {
  constexpr double kLargest = 1e30;  // of a cell
  expect(std::abs(mean) <= kLargest, "{}: mean: expected a number of at most {} in size, found {}", object.where(), kLargest, mean);
}

Feature read_feature(const JsonObject& object) {
  Feature feature{.column = object.text("column"), .category = object.has("value"), .value = object.text("value", ""), .scale = {}};
  if (feature.category) {
    feature.seen = object.flag("seen", true);
    return feature;
  }
  feature.scale = {.mean = object.real("mean"), .deviation = object.real("deviation")};
  feature.standardized = object.flag("standardized", true);
  check_mean(object, feature.scale.mean);
  expect(feature.scale.deviation == 0 || is_scale(feature.scale.deviation),
         "{}: deviation: expected 0 or a positive number, neither denormal nor infinite, found {}", object.where(),
         feature.scale.deviation);
  return feature;
}

TargetValues read_target(const JsonObject& object, Head head) {
  TargetValues target{.head = head, .known = {}, .targets = {}, .labels = {}, .classes = {}};
  if (!head.has_labels()) {
    target.mean = object.real("mean");
    target.scale = object.real("scale");
    check_mean(object, target.mean);
    expect(is_scale(target.scale), "{}: scale: expected a positive number, neither denormal nor infinite, found {}", object.where(),
           target.scale);
    return target;
  }
  target.classes = object.texts("classes");
  constexpr std::size_t kMost = 256;  // a label is a byte
  const bool binary = head.loss == Loss::kBinary;
  expect(target.classes.size() >= 2 && target.classes.size() <= (binary ? 2 : kMost), "{}: classes: expected 2{} of them, found {}",
         object.where(), binary ? "" : " to 256", target.classes.size());
  if (!binary) target.head.outputs = target.classes.size();
  return target;
}

}  // namespace

json to_json(const TableFacts& facts) {
  json features = json::array();
  for (const Feature& feature : facts.features) {
    if (feature.category) {
      features.push_back({{"column", feature.column}, {"value", feature.value}, {"seen", feature.seen}});
    } else {
      features.push_back({{"column", feature.column},
                          {"mean", feature.scale.mean},
                          {"deviation", feature.scale.deviation},
                          {"standardized", feature.standardized}});
    }
  }
  json targets = json::array();
  for (const TargetValues& target : facts.targets) {
    if (target.head.has_labels()) {
      targets.push_back({{"classes", target.classes}});
    } else {
      targets.push_back({{"mean", target.mean}, {"scale", target.scale}});
    }
  }
  return {{"features", features}, {"targets", targets}, {"all_known", facts.all_known}};
}

TableFacts read_table_facts(const json& json, const std::string& where, const std::vector<TableObjective>& objectives) {
  const JsonObject object(json, where);
  TableFacts facts;
  for (const JsonObject& feature : object.objects("features")) facts.features.push_back(read_feature(feature));
  expect(!facts.features.empty(), "{}: features: expected at least one, found none", where);
  const std::vector<JsonObject> targets = object.objects("targets");
  expect(targets.size() == objectives.size(), "{}: targets: expected one for each of {} objectives, found {}", where, objectives.size(),
         targets.size());
  for (std::size_t k = 0; k < targets.size(); ++k) facts.targets.push_back(read_target(targets[k], objectives[k].head));
  facts.all_known = object.flag("all_known", true);
  return facts;
}

TableOptions with_features(TableOptions options, const std::vector<Feature>& features) {
  options.ignored.clear();
  options.features.clear();
  for (const Feature& feature : features) {
    const auto known = std::find(options.features.begin(), options.features.end(), feature.column);
    if (known == options.features.end()) options.features.push_back(feature.column);
  }
  return options;
}

}  // namespace paretofl
