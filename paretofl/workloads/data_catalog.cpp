#include "paretofl/workloads/data_catalog.h"

#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/workloads/idx_file.h"
#include "paretofl/workloads/idx_image_folder.h"

namespace paretofl {
namespace {

constexpr std::size_t kClasses = 10;

const CatalogSource& mnist() {
  static const CatalogSource kSource{
      .folder = "mnist",
      .title = "MNIST handwritten digits",
      .home = "http://yann.lecun.com/exdb/mnist",
      .reference = "LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition, 1998",
      .files = {{"train-images-idx3-ubyte",
                 {60000, 28, 28},
                 9912422,
                 "f68b3c2dcbeaaa9fbdd348bbdeb94873",
                 "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
                {"train-labels-idx1-ubyte",
                 {60000},
                 28881,
                 "d53e105ee54ea40749a09fcbcd1e9432",
                 "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
                {"t10k-images-idx3-ubyte",
                 {10000, 28, 28},
                 1648877,
                 "9fb629c4189551a2d022fa330f9573f3",
                 "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
                {"t10k-labels-idx1-ubyte",
                 {10000},
                 4542,
                 "ec29112dd5afa0611ce80d1b7f02629c",
                 "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}};
  return kSource;
}

// Sets with the images in another order are in circulation, so only shapes are checked.
const CatalogSource& fashion_mnist() {
  static const CatalogSource kSource{
      .folder = "fashion_mnist",
      .title = "Fashion-MNIST garments",
      .home = "https://github.com/zalandoresearch/fashion-mnist",
      .reference = "Xiao, Rasul, Vollgraf: Fashion-MNIST, arXiv:1708.07747",
      .files = {{"train-images-idx3-ubyte", {60000, 28, 28}, 26421880, "8d4fb7e6c68d591d4c3dfef9ec88bf0d", ""},
                {"train-labels-idx1-ubyte", {60000}, 29515, "25c81989df183df01b3e8a0aad5dffbe", ""},
                {"t10k-images-idx3-ubyte", {10000, 28, 28}, 4422102, "bef4ecab320f06d8554ea6380940ec79", ""},
                {"t10k-labels-idx1-ubyte", {10000}, 5148, "bb300cfdad3c16e7a12a480ee83cd310", ""}}};
  return kSource;
}

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

FileCheck check_file(const CatalogFile& expected, const std::filesystem::path& folder) {
  FileCheck check{.file = (folder / expected.name).string(), .found = {}, .problem = {}};
  try {
    const std::filesystem::path path = find_idx(folder, expected.name);
    check.file = path.string();
    const IdxFile file = read_idx(path, expected.shape.size());
    expect(file.shape == expected.shape, "{}: expected {} values, found {}", check.file, fmt::join(expected.shape, " x "),
           fmt::join(file.shape, " x "));
    if (file.shape.size() == 1) {
      const std::size_t largest = *std::max_element(file.values.begin(), file.values.end());
      expect(largest < kClasses, "{}: expected labels below {}, found {}", check.file, kClasses, largest);
    }
    if (!expected.sha256.empty()) {
      const std::string found = sha256_of(file);
      expect(found == expected.sha256, "{}: expected the published content (SHA-256 {}), found {}", check.file, expected.sha256, found);
    }
    check.found = fmt::format("{}{}", fmt::join(file.shape, " x "), expected.sha256.empty() ? "" : ", content as published");
  } catch (const Error& error) {
    check.problem = error.what();
  }
  return check;
}

}  // namespace

std::span<const CatalogEntry> data_catalog() {
  static const std::vector<CatalogEntry> kCatalog = {
      {"mnist_fmnist", "a digit and a garment on one canvas", {&mnist(), &fashion_mnist()}},
      {"multimnist", "two digits on one canvas", {&mnist()}},
  };
  return kCatalog;
}

const CatalogEntry& catalog_entry(std::string_view workload) {
  std::vector<std::string> known;
  for (const CatalogEntry& entry : data_catalog()) {
    if (entry.workload == workload) return entry;
    known.push_back(entry.workload);
  }
  throw Error(fmt::format("data: expected a workload with data files, one of {}; found '{}'", fmt::join(known, ", "), workload));
}

std::vector<FileCheck> check_source(const CatalogSource& source, const std::filesystem::path& root) {
  std::vector<FileCheck> checks;
  for (const CatalogFile& file : source.files) checks.push_back(check_file(file, root / source.folder));
  return checks;
}

}  // namespace paretofl
