#include "paretofl/workloads/catalog_file.h"

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_set>

#include "paretofl/core/error.h"
#include "paretofl/workloads/cifar_file.h"
#include "paretofl/workloads/faces.h"
#include "paretofl/workloads/idx_file.h"
#include "paretofl/workloads/idx_image_folder.h"
#include "paretofl/workloads/qm9.h"
#include "paretofl/workloads/qm9_xyz.h"
#include "paretofl/workloads/text_lines.h"

namespace paretofl {
namespace {

constexpr std::size_t kClasses = 10;

// SHA-256 of the uncompressed IDX file, which is its header followed by the values.
std::string sha256_of(const IdxFile& file) {
  std::vector<std::uint8_t> header = {0, 0, 8, static_cast<std::uint8_t>(file.shape.size())};
  for (const std::size_t size : file.shape) {
    for (const int shift : {24, 16, 8, 0}) header.push_back(static_cast<std::uint8_t>(size >> shift));
  }
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const bool done = EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1 &&
                    EVP_DigestUpdate(context.get(), header.data(), header.size()) == 1 &&
                    EVP_DigestUpdate(context.get(), file.values.data(), file.values.size()) == 1 &&
                    EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1;
  expect(done, "SHA-256: expected libcrypto to offer it, found an error");
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

}  // namespace

FileContent read_idx_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = find_idx(folder, file.name);
  const IdxFile idx = read_idx(path, file.shape.size());
  if (idx.shape.size() == 1) {
    const std::size_t largest = *std::max_element(idx.values.begin(), idx.values.end());
    expect(largest < kClasses, "{}: expected labels below {}, found {}", path.string(), kClasses, largest);
  }
  return {path, idx.shape, file.sha256.empty() ? "" : sha256_of(idx)};
}

FileContent read_cifar_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const auto place = find_cifar_batches(folder, file.name.starts_with("test") ? DataPart::kTest : DataPart::kTrain);
  const std::filesystem::path path = (place.empty() ? folder : place) / file.name;
  ImageDataset images = empty_cifar("cifar10");
  append_cifar_file(path, images);
  return {path, {images.count, 1 + images.image_size()}, {}};
}

FileContent read_qm9_content(const CatalogFile&, const std::filesystem::path& folder) {
  const auto files = find_qm9_files(folder);
  std::unordered_set<std::uint32_t> indices;
  for (const auto& path : files) {
    for (const Qm9Molecule& read : parse_qm9_xyz(read_text(path), path.string())) {
      expect(indices.insert(read.index).second, "{}: expected each molecule once, found gdb {} again", path.string(), read.index);
    }
  }
  return {files.size() == 1 ? files[0] : folder, {indices.size()}, {}};
}

FileContent read_uncharacterized_content(const CatalogFile&, const std::filesystem::path& folder) {
  const auto path = find_uncharacterized(folder);
  return {path, {parse_uncharacterized(read_text(path), path.string()).size()}, {}};
}

FileContent read_face_table_content(const CatalogFile&, const std::filesystem::path& folder) {
  const auto path = find_face_table(folder);
  if (path.empty()) return {};
  return {path, {read_face_table(path).size(), kFaceAttributes}, {}};
}

FileCheck check_file(const CatalogFile& expected, const std::filesystem::path& folder) {
  FileCheck check{.file = (folder / expected.name).string(), .found = {}, .problem = {}};
  try {
    const FileContent content = expected.read(expected, folder);
    if (content.shape.empty() && expected.optional) {
      check.found = "absent, which will do";
      return check;
    }
    const std::string path = content.file.string();
    expect(content.shape == expected.shape, "{}: expected {} {}, found {}", path, fmt::join(expected.shape, " x "), expected.unit,
           fmt::join(content.shape, " x "));
    expect(content.sha256 == expected.sha256, "{}: expected the published content (SHA-256 {}), found {}", path, expected.sha256,
           content.sha256);
    check.file = path;
    check.found =
        fmt::format("{} {}{}", fmt::join(content.shape, " x "), expected.unit, expected.sha256.empty() ? "" : ", content as published");
  } catch (const Error& error) {
    check.problem = error.what();
  }
  return check;
}

}  // namespace paretofl
