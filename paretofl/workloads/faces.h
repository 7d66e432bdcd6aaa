#pragma once

#include <filesystem>

#include "paretofl/images/face_attributes.h"
#include "paretofl/workloads/image_classification.h"

namespace paretofl {

struct FacesOptions {
  ImageClassificationOptions images{
      .clients = 20, .samples_per_client = 300, .batch_size = 64, .rotation_degrees = 0, .model = "small_cnn"};
  std::int64_t train_images = 6000;
  std::int64_t test_images = 2000;
  std::int64_t objectives = 40;
  bool grouped = false;
  double noise = 0.08;

  void describe(OptionVisitor& visit);
};

/// The packed attribute table in a folder, attr_bits.bin or attr_bits.bin.xz; empty if there is neither.
std::filesystem::path find_face_table(const std::filesystem::path& folder);

/// Reads it; the ending .xz decides. Throws Error naming the file if it is damaged.
std::vector<FaceBits> read_face_table(const std::filesystem::path& file);

/// Procedural colour pictures of faces with CelebA's 40 attributes, drawn at start-up from the seed. The attributes
/// are rows of the real table where root/celeba holds it packed (attr_bits.bin, or that with .xz), and draws from
/// FaceAttributeModel where it does not.
std::unique_ptr<Workload> make_faces(const FacesOptions& options, const std::filesystem::path& root, std::uint64_t seed);

}  // namespace paretofl
