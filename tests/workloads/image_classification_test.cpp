#include "paretofl/workloads/image_classification.h"

#include <gmock/gmock.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/images/face_images.h"
#include "tests/images/celeba_files.h"
#include "tests/network_interpreter.h"

namespace paretofl {
namespace {

/// Labelled pictures of faces.
ImageSplits drawn_splits() {
  const auto draw = [](std::size_t count, std::uint64_t seed) {
    const std::vector<FaceBits> faces = even_faces(count, seed);
    ImageDataset images = draw_faces(faces, 0.1, Random({.seed = seed}, "faces"));
    set_face_labels(faces, 3, false, images);
    return images;
  };
  return {draw(200, 1), draw(30, 2), {.mean = {0.4}, .std = {0.25}}};
}

// Reading the images late changes nothing but how many are read.
TEST(ImageClassification, ImagesReadLateAreTheSameOnes) {
  const ImageClassificationOptions options{
      .clients = 3, .samples_per_client = 20, .batch_size = 8, .validation_fraction = 0.1, .model = "small_cnn"};
  const ImageClassification early(options, drawn_splits(), 5);
  ImageSplits splits = drawn_splits();
  std::vector<std::uint32_t> asked;
  splits.read_train = [&asked, all = splits.train](std::span<const std::uint32_t> samples) {
    asked.assign(samples.begin(), samples.end());
    std::vector<std::uint8_t> pixels;
    for (const std::uint32_t sample : samples) pixels.insert(pixels.end(), all.image(sample).begin(), all.image(sample).end());
    return pixels;
  };
  splits.train.pixels.clear();
  const ImageClassification late(options, std::move(splits), 5);
  EXPECT_EQ(asked.size(), 3U * 20 + 20);
  EXPECT_TRUE(std::is_sorted(asked.begin(), asked.end()));

  const Parameters start = early.initial_parameters();
  ThreadPool pool(1);
  for (const Split split : {Split::kValidation, Split::kTest}) {
    EXPECT_EQ(early.evaluate(start.values(), split, pool).per_objective, late.evaluate(start.values(), split, pool).per_objective);
  }
  for (int client = 0; client < 3; ++client) {
    const auto gradient_of = [&](const ImageClassification& workload) {
      std::vector<float> gradient(start.size());
      workload.oracle(client)->objective_gradient(start.values(), 1, {Random({5}, "draw"), 2}, gradient);
      return gradient;
    };
    EXPECT_EQ(gradient_of(early), gradient_of(late)) << client;
  }
}

// One client with all training images, which are the test images too.
TEST(ImageClassification, LossesOnAllDataOfAClientAreThoseOfAnEvaluation) {
  ImageSplits splits = drawn_splits();
  splits.test = splits.train;
  const ImageClassification workload({.clients = 1, .samples_per_client = 200, .batch_size = 8, .model = "small_cnn"}, std::move(splits),
                                     5);
  const Parameters start = workload.initial_parameters();
  ThreadPool pool(1);
  const std::vector<double> evaluated = workload.evaluate(start.values(), Split::kTest, pool).per_objective.at("loss");
  const std::vector<double> local = workload.oracle(0)->local_losses(start.values());
  ASSERT_TRUE(workload.has_local_losses());
  ASSERT_EQ(local.size(), evaluated.size());
  for (std::size_t k = 0; k < local.size(); ++k) EXPECT_NEAR(local[k], evaluated[k], 1e-9 * evaluated[k]);
}

// The images that a client holds out for evaluation do not count.
TEST(ImageClassification, LossesOnAllDataAreOfTheImagesThatAClientTrainsOn) {
  const auto workload_with = [&](double held_out_fraction) {
    return std::make_unique<ImageClassification>(
        ImageClassificationOptions{
            .clients = 1, .samples_per_client = 200, .batch_size = 8, .held_out_fraction = held_out_fraction, .model = "small_cnn"},
        drawn_splits(), 5);
  };
  const auto whole = workload_with(0);
  const auto part = workload_with(0.25);
  const Parameters theta = whole->initial_parameters();
  ThreadPool pool(1);
  const std::vector<double> of_all = whole->oracle(0)->local_losses(theta.values());
  const std::vector<double> of_kept = part->oracle(0)->local_losses(theta.values());
  const HeldOutFigures held_out = part->evaluate_held_out(0, theta.values(), pool);
  const HeldOutFigures::Sums& sums = held_out.metrics.at("loss");
  const double all = whole->oracle(0)->num_samples();
  const double kept = part->oracle(0)->num_samples();
  for (std::size_t k = 0; k < of_all.size(); ++k) {
    EXPECT_EQ(kept + sums.samples[k], all);
    EXPECT_NEAR(kept * of_kept[k] + sums.values[k], all * of_all[k], 1e-6 * all * of_all[k]);
    EXPECT_GT(std::abs(of_kept[k] - sums.values[k] / sums.samples[k]), 1e-4) << "the two parts can be told apart";
  }
}

// Clients' images are dealt label by label; the last ones alone would be those of a few labels, which training then never sees.
TEST(ImageClassification, ImagesThatAClientHoldsOutHaveTheLabelsOfTheOthers) {
  const ImageClassification workload(
      {.clients = 1, .samples_per_client = 80, .dirichlet_alpha = 1000, .batch_size = 8, .held_out_fraction = 0.25, .model = "small_cnn"},
      drawn_splits(), 5);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("held_out_labels_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  workload.write_part(0, folder);
  // The share of each combination of the labels of an image, which an IDX file has behind its header.
  const auto shares = [&](const char* name, std::size_t count) {
    std::ifstream file(folder / name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::size_t header = 4 + 4 * static_cast<std::size_t>(bytes.at(3));
    const std::size_t width = (bytes.size() - header) / count;
    std::map<std::string, double> found;
    for (std::size_t i = 0; i < count; ++i) found[bytes.substr(header + i * width, width)] += 1 / static_cast<double>(count);
    return found;
  };
  std::map<std::string, double> trained = shares("train-labels.idx", 60), held_out = shares("test-labels.idx", 20);
  double distance = 0;  // in total variation
  for (const auto& [label, share] : trained) distance += std::abs(share - held_out[label]) / 2;
  for (const auto& [label, share] : held_out) distance += trained.contains(label) ? 0 : share / 2;
  EXPECT_LT(distance, 0.4) << "0.27 where drawn at random, 0.58 where the last ones are held out";
  std::filesystem::remove_all(folder);
}

// Six clients have more images than there are, so that they have many in common.
TEST(ImageClassification, ImagesThatAClientHoldsOutAreNobodysToTrainOn) {
  const ImageClassificationOptions options{
      .clients = 6, .samples_per_client = 60, .batch_size = 8, .held_out_fraction = 0.25, .model = "small_cnn"};
  const ImageClassification workload(options, drawn_splits(), 5);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("held_out_alone_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::set<std::string> trained, held_out;
  const auto read = [&](const char* name, std::set<std::string>& images) {
    std::ifstream file(folder / name, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (bytes.empty()) return;
    const std::size_t header = 4 + 4 * static_cast<std::size_t>(bytes.at(3));
    const std::size_t size = drawn_splits().train.pixels.size() / drawn_splits().train.count;
    for (std::size_t at = header; at < bytes.size(); at += size) images.insert(bytes.substr(at, size));
  };
  for (int client = 0; client < 6; ++client) {
    workload.write_part(client, folder);
    EXPECT_EQ(workload.oracle(client)->num_samples(), 45);
    read("train-images.idx", trained);
    read("test-images.idx", held_out);
    std::filesystem::remove(folder / "test-images.idx");
  }
  EXPECT_GT(held_out.size(), 5U);
  for (const std::string& image : held_out) EXPECT_FALSE(trained.contains(image));
  std::filesystem::remove_all(folder);

  ImageClassificationOptions crowded = options;
  crowded.clients = 200;
  EXPECT_THAT([&] { const ImageClassification none(crowded, drawn_splits(), 5); },
              testing::ThrowsMessage<Error>(
                  testing::HasSubstr("workload.held_out_fraction: expected a client to hold out an image that no client trains on")));
}

/// Checks the network of a model whose images are normalized so.
void expect_network(const std::vector<double>& mean, const std::vector<double>& std) {
  ImageSplits splits = drawn_splits();
  splits.augmentation.mean = mean;
  splits.augmentation.std = std;
  const ImageDataset test = splits.test;
  const ImageClassification workload({.clients = 3, .samples_per_client = 20, .batch_size = 8, .model = "small_cnn"}, std::move(splits), 5);
  const Parameters start = workload.initial_parameters();
  const auto graph = workload.network();
  ASSERT_TRUE(graph.has_value());
  const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  NetworkInterpreter::Tensor images{{size(test.count), size(test.channels), size(test.height), size(test.width)}, {}};
  for (const std::uint8_t pixel : test.pixels) images.values.push_back(pixel / 255.0);
  const auto outputs = NetworkInterpreter(*graph, *workload.layout(), start.values()).run({{"images", images}});
  ThreadPool pool(1);
  const Evaluation evaluation = workload.evaluate(start.values(), Split::kTest, pool);
  for (std::size_t k = 0; k < test.objectives.size(); ++k) {
    const auto& scores = outputs.at(test.objectives[k]);
    const auto classes = static_cast<std::size_t>(scores.shape.at(1));
    double loss = 0;
    for (std::size_t n = 0; n < test.count; ++n) {
      double sum = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        sum += std::exp(scores.values[n * classes + c] - scores.values[n * classes + test.labels[k][n]]);
      }
      loss += std::log(sum) / static_cast<double>(test.count);
    }
    EXPECT_EQ(test.heads[k].loss, Loss::kNll);
    EXPECT_NEAR(loss, evaluation.per_objective.at("loss")[k], 1e-5) << test.objectives[k];
  }
}

TEST(ImageClassification, AModelForMoleculesIsRefusedByItsSetting) {
  EXPECT_THAT(
      [] { const ImageClassification none({.clients = 3, .samples_per_client = 20, .batch_size = 8, .model = "mpnn"}, drawn_splits(), 5); },
      testing::ThrowsMessage<Error>(testing::StartsWith("workload.model: expected objectives of one output each for mpnn, found ")));
}

TEST(ImageClassification, ItsNetworkTakesPixelsFromZeroToOne) { expect_network({0.3, 0.4, 0.5}, {0.2, 0.25, 0.3}); }

TEST(ImageClassification, ItsNetworkMayHaveOneMeanOrOneDeviationForAllChannels) {
  expect_network({0.3, 0.4, 0.5}, {0.7});
  expect_network({0.4}, {0.2, 0.25, 0.3});
}

}  // namespace
}  // namespace paretofl
