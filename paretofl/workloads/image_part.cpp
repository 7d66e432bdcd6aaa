#include "paretofl/workloads/image_part.h"

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/images/labelled_image_files.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/scale_number.h"

namespace paretofl {
namespace {

constexpr std::int64_t kMostPixels = 65536;  // of a side
constexpr std::int64_t kMostClasses = 256, kMostAttributes = 8;

Head read_head(const JsonObject& label) {
  if (!label.has("attributes")) return {.outputs = static_cast<std::size_t>(label.integer("classes", 1, kMostClasses))};
  return {.outputs = static_cast<std::size_t>(label.integer("attributes", 1, kMostAttributes)), .loss = Loss::kBinary};
}

/// Numbers of one or every channel.
std::vector<double> channel_numbers(const JsonObject& facts, const char* key, std::size_t channels) {
  std::vector<double> numbers = facts.reals(key);
  expect(numbers.size() == 1 || numbers.size() == channels, "{}: {}: expected 1 number or {}, one for each channel, found {}",
         facts.where(), key, channels, numbers.size());
  return numbers;
}

Augmentation read_augmentation(const JsonObject& facts, std::size_t channels) {
  constexpr double kLargest = 1e30;
  Augmentation augmentation{.mean = channel_numbers(facts, "mean", channels),
                            .std = channel_numbers(facts, "std", channels),
                            .whole_degrees = facts.flag("whole_degrees", false),
                            .nearest = facts.flag("nearest", false),
                            .flip_probability = facts.real("flip_probability")};
  for (const double mean : augmentation.mean) {
    expect(std::abs(mean) <= kLargest, "{}: mean: expected numbers of at most {} in size, found {}", facts.where(), kLargest, mean);
    for (const double std : augmentation.std) {
      const auto most = static_cast<float>((1 + std::abs(mean)) / std);
      expect(is_scale(std) && std::isfinite(most), "{}: std: expected positive numbers that scale pixels within float32, found {}",
             facts.where(), std);
    }
  }
  expect(augmentation.flip_probability >= 0 && augmentation.flip_probability <= 1,
         "{}: flip_probability: expected a number from 0 to 1, found {}", facts.where(), augmentation.flip_probability);
  return augmentation;
}

}  // namespace

nlohmann::json image_facts(const ImageSplits& splits) {
  nlohmann::json labels = nlohmann::json::array();
  for (const Head& head : splits.train.heads) labels.push_back({{head.loss == Loss::kBinary ? "attributes" : "classes", head.outputs}});
  return {{"channels", splits.train.channels},
          {"height", splits.train.height},
          {"width", splits.train.width},
          {"labels", labels},
          {"mean", splits.augmentation.mean},
          {"std", splits.augmentation.std},
          {"whole_degrees", splits.augmentation.whole_degrees},
          {"nearest", splits.augmentation.nearest},
          {"flip_probability", splits.augmentation.flip_probability},
          {"same_for_every_seed", splits.same_for_every_seed}};
}

ImageSplits splits_of_facts(const Problem& problem, const std::string& name) {
  const JsonObject facts(problem.facts, name + ": facts");
  ImageDataset kind;
  kind.channels = static_cast<std::size_t>(facts.integer("channels", 1, kMostPixels));
  kind.height = static_cast<std::size_t>(facts.integer("height", 1, kMostPixels));
  kind.width = static_cast<std::size_t>(facts.integer("width", 1, kMostPixels));
  kind.objectives = problem.objectives;
  for (const JsonObject& label : facts.objects("labels")) kind.heads.push_back(read_head(label));
  expect(kind.heads.size() == kind.objectives.size(), "{}: labels: expected one for each of {} objectives, found {}", facts.where(),
         kind.objectives.size(), kind.heads.size());
  return {.train = kind,
          .test = kind,
          .augmentation = read_augmentation(facts, kind.channels),
          .validation = kind,
          .same_for_every_seed = facts.flag("same_for_every_seed", false)};
}

ImageSplits read_image_part(const ProblemPart& part, std::int64_t most_training) {
  ImageSplits splits = splits_of_facts(read_problem(part.folder), part.file(Problem::kFile).string());
  const ImageDataset kind = splits.train;
  constexpr std::size_t kAny = std::numeric_limits<std::uint32_t>::max();
  if (!part.is_server()) {
    splits.train = read_labelled_images(kind, part.folder, "train", static_cast<std::size_t>(most_training), "workload.samples_per_client");
  }
  if (part.is_server() || has_labelled_images(part.folder, "test")) {
    splits.test = read_labelled_images(kind, part.folder, "test", kAny, "their numbers");
  }
  if (has_labelled_images(part.folder, "validation")) {
    splits.validation = read_labelled_images(kind, part.folder, "validation", kAny, "their numbers");
  }
  return splits;
}

}  // namespace paretofl
