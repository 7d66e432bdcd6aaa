#include "paretofl/workloads/celeba.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "paretofl/core/error.h"
#include "tests/images/celeba_files.h"
#include "tests/images/idx_bytes.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr CelebaCounts kCounts = {80, 16, 24};

/// A data root with celeba/ of kCounts drawn faces, made once, and the faces.
struct Files {
  std::filesystem::path root = empty_folder("celeba");
  std::vector<FaceBits> faces = even_faces(120, 1);

  Files() { write_celeba_files(root / "celeba", faces, kCounts, 0.02, Random({.seed = 1}, "celeba files")); }
  ~Files() { std::filesystem::remove_all(root); }
};
const Files& files() {
  static const Files kFiles;
  return kFiles;
}

/// A copy of those to damage.
std::filesystem::path copied_root() {
  auto root = empty_folder("celeba_copy");
  std::filesystem::copy(files().root / "celeba", root / "celeba", std::filesystem::copy_options::recursive);
  return root;
}

Celeba5Options small_celeba() {
  Celeba5Options options;
  options.images.clients = 4;
  options.images.samples_per_client = 15;
  options.images.batch_size = 5;
  options.images.model = "small_cnn";
  return options;
}

Evaluation evaluated(const Workload& workload, Split split) {
  ThreadPool pool(1);
  return workload.evaluate(workload.initial_parameters().values(), split, pool);
}

// Stretched, saved as JPEG and squeezed again, a drawn face is nearly itself.
TEST(Celeba, PixelsAreTheSqueezedImages) {
  const auto images = read_celeba_lists(files().root / "celeba");
  const std::vector<CelebaImage> chosen = {images[119], images[0], images[7]};
  const auto pixels = read_celeba_pixels(files().root / "celeba", chosen);
  const ImageDataset drawn = draw_faces(files().faces, 0.02, Random({.seed = 1}, "celeba files"));
  ASSERT_EQ(pixels.size(), 3 * drawn.image_size());
  const auto distance = [&](std::size_t i, std::size_t face) {
    double sum = 0;
    for (std::size_t p = 0; p < drawn.image_size(); ++p) sum += std::abs(pixels[i * drawn.image_size() + p] - drawn.image(face)[p]);
    return sum / static_cast<double>(drawn.image_size());
  };
  for (const auto& [i, face] : {std::pair{0, 119}, {1, 0}, {2, 7}}) {
    EXPECT_LT(distance(i, face), 10) << face;
    EXPECT_GT(distance(i, face + 1 == 120 ? 0 : face + 1), 20) << face;
  }
}

TEST(Celeba, ObjectivesAreAttributesOrGroups) {
  const auto all = make_celeba({.base = small_celeba()}, files().root, 1),
             two = make_celeba({.base = small_celeba(), .objectives = 2}, files().root, 1),
             groups = make_celeba5(small_celeba(), files().root, 1);
  EXPECT_THAT(all->objective_names(), testing::ElementsAreArray(kFaceAttributeNames));
  EXPECT_THAT(two->objective_names(), testing::ElementsAre("5_o_Clock_Shadow", "Arched_Eyebrows"));
  EXPECT_THAT(groups->objective_names(), testing::ElementsAre("group_1", "group_2", "group_3", "group_4", "group_5"));
}

TEST(Celeba, DefaultsAreThePapers) {
  const CelebaOptions options;
  EXPECT_EQ(options.base.images.clients, 100);
  EXPECT_EQ(options.base.images.samples_per_client, 162770 / 100);
  EXPECT_EQ(options.base.images.model, "resnet18");
  EXPECT_EQ(options.base.images.rotation_degrees, 0);
  EXPECT_EQ(options.objectives, 40);
}

// With the parts of the validation and the test images exchanged, so are their figures.
TEST(Celeba, EvaluatesOnThePublishedParts) {
  Celeba5Options options = small_celeba();
  EXPECT_FALSE(make_celeba5(options, files().root, 1)->has_split(Split::kValidation));
  options.published_validation = true;
  const auto workload = make_celeba5(options, files().root, 1);
  EXPECT_TRUE(workload->has_split(Split::kValidation));
  const auto root = copied_root();
  std::string parts = celeba_partition_list(kCounts);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == ' ' && parts[i + 1] != '0') parts[i + 1] = parts[i + 1] == '1' ? '2' : '1';
  }
  write_bytes(root / "celeba" / "list_eval_partition.txt", Bytes(parts.begin(), parts.end()));
  const auto exchanged = make_celeba5(options, root, 1);
  const Evaluation test = evaluated(*workload, Split::kTest), validation = evaluated(*workload, Split::kValidation);
  EXPECT_NE(test.per_objective, validation.per_objective);
  EXPECT_EQ(evaluated(*exchanged, Split::kTest).per_objective, validation.per_objective);
  EXPECT_EQ(evaluated(*exchanged, Split::kValidation).per_objective, test.per_objective);
  options.evaluation_images = 10;
  const auto few = make_celeba5(options, files().root, 1);
  EXPECT_NE(evaluated(*few, Split::kTest).per_objective, test.per_objective);
  options.images.validation_fraction = 0.1;
  EXPECT_THAT([&] { make_celeba5(options, files().root, 1); },
              ThrowsMessage<Error>("workload.validation_fraction: expected 0 beside published validation images, found 0.1"));
}

// Images that no client holds are never opened: they may be damaged.
TEST(Celeba, ReadsOnlyTheImagesInUse) {
  Celeba5Options options = small_celeba();
  options.images.clients = 1;
  options.images.samples_per_client = 8;
  options.evaluation_images = 1;
  const auto root = copied_root();
  const auto folder = root / "celeba" / "img_align_celeba";
  const auto works = [&] {
    try {
      make_celeba5(options, root, 1);
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  int needed = 0;
  for (int image = 1; image <= 120; ++image) {
    const auto file = folder / fmt::format("{:06}.jpg", image);
    std::filesystem::rename(file, root / "aside");
    if (!works()) {
      ++needed;
      std::filesystem::rename(root / "aside", file);
    }
  }
  EXPECT_EQ(needed, 8 + 1);
  std::filesystem::remove_all(root);
}

TEST(Celeba, SaysWhatIsWrongWithTheFiles) {
  const auto error_of = [](const std::filesystem::path& root, const Celeba5Options& options) {
    try {
      make_celeba5(options, root, 1);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const auto root = copied_root();
  const auto folder = root / "celeba";
  const Bytes small_image = jpeg_bytes(Bytes(3 * 32 * 32, 9), 32, 32);
  write_bytes(folder / "img_align_celeba" / "000100.jpg", small_image);
  EXPECT_THAT(error_of(root, small_celeba()), HasSubstr("000100.jpg: expected an aligned image of 218 x 178, found 32 x 32"));
  write_bytes(folder / "img_align_celeba" / "000100.jpg", Bytes(100, 7));
  EXPECT_THAT(error_of(root, small_celeba()), HasSubstr("000100.jpg: expected an intact JPEG image"));
  std::filesystem::remove(folder / "img_align_celeba" / "000100.jpg");
  EXPECT_THAT(error_of(root, small_celeba()), HasSubstr("000100.jpg: expected a file"));
  const std::string no_test = celeba_partition_list({100, 20, 0});
  write_bytes(folder / "list_eval_partition.txt", Bytes(no_test.begin(), no_test.end()));
  EXPECT_THAT(error_of(root, small_celeba()), HasSubstr("list_eval_partition.txt: expected images of part 2 (test), found none"));
  Celeba5Options greedy = small_celeba();
  greedy.images.samples_per_client = 81;
  EXPECT_THAT(error_of(files().root, greedy),
              HasSubstr("workload.samples_per_client: expected 1 to 80 samples per client (the whole data set), found 81"));
  EXPECT_THAT(error_of(root / "absent", small_celeba()), HasSubstr("list_attr_celeba.txt: expected a file"));
  std::filesystem::remove_all(root);
}

// The first five attributes at even odds and no others: who doesn't look at a face is right on about half. So few faces
// teach what is large, Bald, and little of the other four.
TEST(Celeba, FedCmooLearnsFromFiles) {
  constexpr CelebaCounts kMany = {320, 0, 100};
  constexpr std::size_t kObjectives = 5, kBald = 4;
  std::vector<FaceBits> faces = even_faces(420, 3);
  for (FaceBits& face : faces) face &= (1U << kObjectives) - 1;
  const auto root = empty_folder("celeba_learning");
  write_celeba_files(root / "celeba", faces, kMany, 0.02, Random({.seed = 3}, "celeba files"));
  CelebaOptions options{.base = small_celeba(), .objectives = kObjectives};
  options.base.images.samples_per_client = 80;
  options.base.images.batch_size = 20;
  const auto workload = make_celeba(options, root, 3);
  Simulation simulation(
      strategy_named("fedcmoo", *workload, {{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{4}}, {"client_lr", 1.0}},
                     {{"compressor", "exact"}}),
      *workload);
  const std::vector<float> theta = simulation.run(1, 20);
  ThreadPool pool(1);
  const auto accuracy = workload->evaluate(theta, Split::kTest, pool).per_objective.at("accuracy");
  const auto constant = workload->constant_predictor().at("accuracy");
  EXPECT_GT(accuracy[kBald], 0.8);
  EXPECT_GT(std::accumulate(accuracy.begin(), accuracy.end(), 0.0), std::accumulate(constant.begin(), constant.end(), 0.0) + 0.2);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace paretofl
