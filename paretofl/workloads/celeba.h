#pragma once

#include <filesystem>
#include <memory>

#include "paretofl/images/celeba_lists.h"
#include "paretofl/workloads/image_classification.h"

namespace paretofl {

/// Height and width of CelebA's aligned images, in pixels, and of what the models see.
inline constexpr std::size_t kCelebaHeight = 218;
inline constexpr std::size_t kCelebaWidth = 178;
inline constexpr std::size_t kCelebaSide = 32;

/// The settings of FedCMOO's experiment by default.
struct Celeba5Options {
  ImageClassificationOptions images{.samples_per_client = 1627, .rotation_degrees = 0, .model = "resnet18"};
  bool published_validation = false;
  std::int64_t evaluation_images = 0;

  void describe(OptionVisitor& visit);
};

struct CelebaOptions {
  Celeba5Options base;
  std::int64_t objectives = kFaceAttributes;

  void describe(OptionVisitor& visit);
};

/// Decodes folder/img_align_celeba/000001.jpg and so on and resizes them to 32 x 32 (resize_bilinear), on all cores:
/// [n, 3, 32, 32]. Throws Error naming the first file that is missing, damaged or not 218 pixels high and 178 wide.
std::vector<std::uint8_t> read_celeba_pixels(const std::filesystem::path& folder, std::span<const CelebaImage> images);

/// CelebA (Liu et al. 2015) from root/celeba, as published: img_align_celeba/, list_attr_celeba.txt and
/// list_eval_partition.txt. Only images that are used are decoded: those that clients or the held-out part hold, and
/// the evaluated ones. As in the authors' code, the whole image is squeezed to 32 x 32, and 72.39, 82.91 and 73.16 are
/// subtracted from red, green and blue before the division by 255. Labels and strata: set_face_labels. Throws Error
/// naming the file.
std::unique_ptr<Workload> make_celeba(const CelebaOptions& options, const std::filesystem::path& root, std::uint64_t seed);

/// The same with the five groups of eight attributes as objectives (FedCMOO, appendix D.1).
std::unique_ptr<Workload> make_celeba5(const Celeba5Options& options, const std::filesystem::path& root, std::uint64_t seed);

}  // namespace paretofl
