#include "paretofl/images/face_attributes.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/images/face_statistics.h"
#include "paretofl/optimization/symmetric_eigen.h"

namespace paretofl {
namespace {

constexpr std::size_t kBytes = 5;
constexpr std::array<std::size_t, 3> kStrata = {2, 20, 21};  // Attractive, Male, Mouth_Slightly_Open

// Where the standard normal's upper tail is `frequency`, by bisection.
double cut_of(double frequency) {
  double low = -6, high = 6;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(middle / std::sqrt(2.0)) > frequency ? low : high) = middle;
  }
  return low;
}

}  // namespace

const std::array<const char*, kFaceAttributes> kFaceAttributeNames = {"5_o_Clock_Shadow",
                                                                      "Arched_Eyebrows",
                                                                      "Attractive",
                                                                      "Bags_Under_Eyes",
                                                                      "Bald",
                                                                      "Bangs",
                                                                      "Big_Lips",
                                                                      "Big_Nose",
                                                                      "Black_Hair",
                                                                      "Blond_Hair",
                                                                      "Blurry",
                                                                      "Brown_Hair",
                                                                      "Bushy_Eyebrows",
                                                                      "Chubby",
                                                                      "Double_Chin",
                                                                      "Eyeglasses",
                                                                      "Goatee",
                                                                      "Gray_Hair",
                                                                      "Heavy_Makeup",
                                                                      "High_Cheekbones",
                                                                      "Male",
                                                                      "Mouth_Slightly_Open",
                                                                      "Mustache",
                                                                      "Narrow_Eyes",
                                                                      "No_Beard",
                                                                      "Oval_Face",
                                                                      "Pale_Skin",
                                                                      "Pointy_Nose",
                                                                      "Receding_Hairline",
                                                                      "Rosy_Cheeks",
                                                                      "Sideburns",
                                                                      "Smiling",
                                                                      "Straight_Hair",
                                                                      "Wavy_Hair",
                                                                      "Wearing_Earrings",
                                                                      "Wearing_Hat",
                                                                      "Wearing_Lipstick",
                                                                      "Wearing_Necklace",
                                                                      "Wearing_Necktie",
                                                                      "Young"};

const std::array<std::array<std::size_t, 8>, 5> kFaceAttributeGroups = {{{0, 9, 3, 15, 22, 33, 25, 29},
                                                                         {1, 8, 7, 10, 16, 32, 26, 34},
                                                                         {2, 11, 12, 14, 21, 28, 35, 39},
                                                                         {4, 6, 13, 18, 19, 20, 30, 31},
                                                                         {5, 17, 23, 24, 27, 36, 37, 38}}};

FaceAttributeModel::FaceAttributeModel() {
  for (std::size_t k = 0; k < kFaceAttributes; ++k) cuts_[k] = cut_of(kAttributeFrequencies[k] / 10000.0);
  Eigen::MatrixXd correlation = Eigen::MatrixXd::Identity(kFaceAttributes, kFaceAttributes);
  const std::int8_t* next = kAttributeCorrelations.data();
  for (Eigen::Index k = 1; k < correlation.rows(); ++k) {
    for (Eigen::Index j = 0; j < k; ++j) correlation(k, j) = correlation(j, k) = *next++ / 100.0;
  }
  // Pairwise fits need not go together: negative eigenvalues are raised and unit variances restored.
  constexpr double kLeast = 1e-3;
  const SymmetricEigen parts(correlation);
  const Eigen::MatrixXd root = parts.vectors * parts.values.cwiseMax(kLeast).cwiseSqrt().asDiagonal();
  for (std::size_t k = 0; k < kFaceAttributes; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    for (std::size_t j = 0; j < kFaceAttributes; ++j) factor_[k][j] = root(row, static_cast<Eigen::Index>(j)) / root.row(row).norm();
  }
}

FaceBits FaceAttributeModel::draw(Random& random) const {
  std::array<double, kFaceAttributes> normals{};
  for (double& x : normals) x = random.normal();
  FaceBits face = 0;
  for (std::size_t k = 0; k < kFaceAttributes; ++k) {
    double value = 0;
    for (std::size_t j = 0; j < kFaceAttributes; ++j) value += factor_[k][j] * normals[j];
    if (value > cuts_[k]) face |= FaceBits{1} << k;
  }
  return face;
}

std::vector<FaceBits> parse_packed_attributes(std::span<const std::uint8_t> content, const std::string& name) {
  expect(!content.empty() && content.size() % kBytes == 0, "{}: expected rows of {} bytes, found {} bytes", name, kBytes, content.size());
  std::vector<FaceBits> faces(content.size() / kBytes);
  for (std::size_t i = 0; i < content.size(); ++i) faces[i / kBytes] |= FaceBits{content[i]} << (i % kBytes * 8);
  return faces;
}

void set_face_labels(std::span<const FaceBits> faces, std::size_t objectives, bool grouped, ImageDataset& images) {
  expect(faces.size() == images.count, "faces: expected attributes of {} images, found {}", images.count, faces.size());
  expect(objectives >= 1 && objectives <= kFaceAttributes, "faces: expected 1 to {} objectives, found {}", kFaceAttributes, objectives);
  const auto label_by = [&](auto label) {
    std::vector<std::uint8_t> labels;
    for (const FaceBits face : faces) labels.push_back(static_cast<std::uint8_t>(label(face)));
    return labels;
  };
  images.objectives.clear();
  images.heads.clear();
  images.labels.clear();
  for (std::size_t k = 0; k < (grouped ? kFaceAttributeGroups.size() : objectives); ++k) {
    images.objectives.push_back(grouped ? fmt::format("group_{}", k + 1) : kFaceAttributeNames[k]);
    images.heads.push_back(grouped ? Head{.outputs = 8, .loss = Loss::kBinary} : Head{.outputs = 2, .loss = Loss::kNll});
    images.labels.push_back(label_by([&](FaceBits face) {
      if (!grouped) return has_attribute(face, k) ? 1 : 0;
      int bits = 0;
      for (std::size_t i = 0; i < 8; ++i) bits |= (has_attribute(face, kFaceAttributeGroups[k][i]) ? 1 : 0) << i;
      return bits;
    }));
  }
  images.strata.clear();
  for (const FaceBits face : faces) {
    std::uint32_t stratum = 0;
    for (const std::size_t attribute : kStrata) stratum = 2 * stratum + (has_attribute(face, attribute) ? 1 : 0);
    images.strata.push_back(stratum);
  }
}

}  // namespace paretofl
