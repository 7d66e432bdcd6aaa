#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

inline constexpr std::size_t kFaceAttributes = 40;

/// CelebA's attributes, in the order of its list.
extern const std::array<const char*, kFaceAttributes> kFaceAttributeNames;

/// CelebA-5's groups of eight (FedCMOO, appendix D.1), as positions in that order.
extern const std::array<std::array<std::size_t, 8>, 5> kFaceAttributeGroups;

/// The attributes of one face: bit k is attribute k.
using FaceBits = std::uint64_t;

inline bool has_attribute(FaceBits face, std::size_t attribute) { return (face >> attribute & 1U) != 0; }

/// Draws faces from normals with the correlations of face_statistics.h, each cut so that its attribute has the
/// frequency there (a Gaussian copula).
class FaceAttributeModel {
 public:
  FaceAttributeModel();
  FaceBits draw(Random& random) const;

 private:
  std::array<double, kFaceAttributes> cuts_{};
  std::array<std::array<double, kFaceAttributes>, kFaceAttributes> factor_{};  // times its transpose: the correlations
};

/// Reads packed attributes: 5 bytes a face, least significant bit first. Throws Error naming `name` unless these are
/// whole faces and at least one.
std::vector<FaceBits> parse_packed_attributes(std::span<const std::uint8_t> content, const std::string& name);

/// Sets objectives, heads, labels and strata of `images` from its images' attributes: the first `objectives`
/// attributes as classes no and yes with the negative log-likelihood (as FedCMOO's authors do), or with `grouped`
/// the five groups of eight as binary heads. Strata are the eight combinations of Attractive, Male and
/// Mouth_Slightly_Open (FedCMOO, appendix D.1). Throws Error unless 1 <= objectives <= 40.
void set_face_labels(std::span<const FaceBits> faces, std::size_t objectives, bool grouped, ImageDataset& images);

}  // namespace paretofl
