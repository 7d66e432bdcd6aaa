#include "paretofl/workloads/catalog_file.h"

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/data/text_lines.h"
#include "paretofl/images/cifar_file.h"
#include "paretofl/images/idx_file.h"
#include "paretofl/images/idx_image_folder.h"
#include "paretofl/molecules/qm9_xyz.h"
#include "paretofl/questions/competition_math.h"
#include "paretofl/questions/gsm8k.h"
#include "paretofl/questions/humaneval.h"
#include "paretofl/questions/mbpp.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/workloads/celeba.h"
#include "paretofl/workloads/faces.h"
#include "paretofl/workloads/qm9.h"

namespace paretofl {
namespace {

constexpr std::size_t kClasses = 10;

// Of the parts in a row.
std::string sha256_of(std::initializer_list<std::span<const std::uint8_t>> parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  bool done = EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const auto part : parts) done = done && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  done = done && EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1;
  expect(done, "SHA-256: expected libcrypto to offer it, found an error");
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

std::string sha256_of(std::string_view text) { return sha256_of({{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}}); }

// Of the uncompressed IDX file, which is its header followed by the values.
std::string sha256_of(const IdxFile& file) {
  std::vector<std::uint8_t> header = {0, 0, 8, static_cast<std::uint8_t>(file.shape.size())};
  for (const std::size_t size : file.shape) {
    for (const int shift : {24, 16, 8, 0}) header.push_back(static_cast<std::uint8_t>(size >> shift));
  }
  return sha256_of({header, file.values});
}

// Images 1 to `count`.
std::vector<CelebaImage> numbered_images(std::size_t count) {
  std::vector<CelebaImage> images(count);
  for (std::size_t i = 0; i < count; ++i) images[i].number = static_cast<std::uint32_t>(i + 1);
  return images;
}

FileContent read_questions(QuestionParser parse, const CatalogFile& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = question_file(folder, file.name);
  return {path, {parse(read_text(path), path.string()).size()}, ""};
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
  std::size_t molecules = 0;
  for_each_qm9_molecule(files, [&](const Qm9Molecule&) { ++molecules; });
  return {files.size() == 1 ? files[0] : folder, {molecules}, {}};
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

FileContent read_celeba_attributes_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const auto path = folder / file.name;
  const std::string text = read_text(path);
  return {path, {parse_celeba_attributes(text, path.string()).size(), kFaceAttributes}, sha256_of(text)};
}

FileContent read_celeba_partition_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const auto path = folder / file.name;
  const std::string text = read_text(path);
  std::vector<CelebaImage> images = numbered_images(file.shape[0]);
  parse_celeba_partition(text, path.string(), images);
  return {path, {images.size()}, sha256_of(text)};
}

FileContent read_celeba_images_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const auto path = folder / file.name;
  expect(std::filesystem::is_directory(path), "{}: expected a folder of JPEG files, found none", path.string());
  const std::vector<CelebaImage> images = numbered_images(file.shape[0]);
  constexpr std::size_t kAtOnce = 5000;  // 15 MB, and few more files tried when one is missing
  for (std::size_t i = 0; i < images.size(); i += kAtOnce) {
    read_celeba_pixels(folder, std::span(images).subspan(i, std::min(kAtOnce, images.size() - i)));
  }
  return {path, {images.size(), kCelebaHeight, kCelebaWidth}, {}};
}

FileContent read_gsm8k_content(const CatalogFile& file, const std::filesystem::path& folder) {
  return read_questions(parse_gsm8k, file, folder);
}

FileContent read_competition_math_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const std::filesystem::path place = find_competition_math(folder, file.name.starts_with("train") ? "train" : "test");
  return {place, {read_competition_math(place).size()}, ""};
}

FileContent read_mbpp_content(const CatalogFile& file, const std::filesystem::path& folder) {
  const auto parse = [](std::string_view text, std::string_view name) {
    QuestionSet set = parse_mbpp(text, name);
    set.training.insert(set.training.end(), set.validation.begin(), set.validation.end());
    set.training.insert(set.training.end(), set.test.begin(), set.test.end());
    return set.training;
  };
  return read_questions(parse, file, folder);
}

FileContent read_humaneval_content(const CatalogFile& file, const std::filesystem::path& folder) {
  return read_questions(parse_humaneval, file, folder);
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
