#include "paretofl/workloads/image_classification.h"

#include <gmock/gmock.h>

#include "paretofl/images/face_images.h"
#include "tests/images/celeba_files.h"

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

}  // namespace
}  // namespace paretofl
