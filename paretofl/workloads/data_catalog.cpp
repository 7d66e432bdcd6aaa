#include "paretofl/workloads/data_catalog.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr const char* kCelebaHome = "https://mmlab.ie.cuhk.edu.hk/projects/CelebA.html";
constexpr const char* kCelebaReference = "Liu, Luo, Wang, Tang: Deep learning face attributes in the wild, 2015";

PublishedFile attribute_list() { return {"list_attr_celeba.txt", 26721026, "75e246fa4810816ffd6ee81facbd244c"}; }

CatalogFile idx(const std::string& name, std::vector<std::size_t> shape, std::size_t gz_bytes, std::string gz_md5,
                std::string sha256 = "") {
  const std::string unit = shape.size() == 1 ? "labels" : "pixels";
  return {name, std::move(shape), unit, {name + ".gz", gz_bytes, std::move(gz_md5)}, read_idx_content, std::move(sha256)};
}

CatalogFile cifar_batch(const std::string& name) {
  return {name, {10000, 3073}, "bytes", {"cifar-10-binary.tar.gz", 0, "c32a1d4ab5d03f1284b67883e8d87530"}, read_cifar_content, ""};
}

const CatalogSource& mnist() {
  static const CatalogSource kSource{
      .folder = "mnist",
      .title = "MNIST handwritten digits",
      .home = "http://yann.lecun.com/exdb/mnist",
      .reference = "LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition, 1998",
      .files = {idx("train-images-idx3-ubyte", {60000, 28, 28}, 9912422, "f68b3c2dcbeaaa9fbdd348bbdeb94873",
                    "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
                idx("train-labels-idx1-ubyte", {60000}, 28881, "d53e105ee54ea40749a09fcbcd1e9432",
                    "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
                idx("t10k-images-idx3-ubyte", {10000, 28, 28}, 1648877, "9fb629c4189551a2d022fa330f9573f3",
                    "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
                idx("t10k-labels-idx1-ubyte", {10000}, 4542, "ec29112dd5afa0611ce80d1b7f02629c",
                    "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2")}};
  return kSource;
}

// Sets with the images in another order are in circulation, so only shapes are checked.
const CatalogSource& fashion_mnist() {
  static const CatalogSource kSource{
      .folder = "fashion_mnist",
      .title = "Fashion-MNIST garments",
      .home = "https://github.com/zalandoresearch/fashion-mnist",
      .reference = "Xiao, Rasul, Vollgraf: Fashion-MNIST, arXiv:1708.07747",
      .files = {idx("train-images-idx3-ubyte", {60000, 28, 28}, 26421880, "8d4fb7e6c68d591d4c3dfef9ec88bf0d"),
                idx("train-labels-idx1-ubyte", {60000}, 29515, "25c81989df183df01b3e8a0aad5dffbe"),
                idx("t10k-images-idx3-ubyte", {10000, 28, 28}, 4422102, "bef4ecab320f06d8554ea6380940ec79"),
                idx("t10k-labels-idx1-ubyte", {10000}, 5148, "bb300cfdad3c16e7a12a480ee83cd310")}};
  return kSource;
}

const CatalogSource& cifar10() {
  static const CatalogSource kSource{
      .folder = "cifar10",
      .title = "CIFAR-10 photographs, binary version (here or in cifar-10-batches-bin/)",
      .home = "https://www.cs.toronto.edu/~kriz/cifar.html",
      .reference = "Krizhevsky: Learning multiple layers of features from tiny images, 2009",
      .files = {cifar_batch("data_batch_1.bin"), cifar_batch("data_batch_2.bin"), cifar_batch("data_batch_3.bin"),
                cifar_batch("data_batch_4.bin"), cifar_batch("data_batch_5.bin"), cifar_batch("test_batch.bin")}};
  return kSource;
}

const CatalogSource& qm9() {
  static const CatalogSource kSource{
      .folder = "qm9",
      .title = "QM9 molecules, as the archive's files dsgdb9nsd_*.xyz or those in one, dsgdb9nsd.xyz",
      .home = "https://figshare.com/collections/Quantum_chemistry_structures_and_properties_of_134_kilo_molecules/978904",
      .reference =
          "Ramakrishnan, Dral, Rupp, von Lilienfeld: Quantum chemistry structures and properties of 134 kilo molecules, "
          "Scientific Data 1, 140022, 2014",
      .files = {{"dsgdb9nsd.xyz",
                 {133885},
                 "molecules",
                 {"dsgdb9nsd.xyz.tar.bz2", 86144227, "ad1ebd51ee7f5b3a6e32e974e5d54012"},
                 read_qm9_content,
                 ""},
                {"uncharacterized.txt",
                 {3054},
                 "molecules left out",
                 {"uncharacterized.txt", 486752, "a361887bacb427b8a0ce7903d92a53b4"},
                 read_uncharacterized_content,
                 ""}}};
  return kSource;
}

const CatalogSource& celeba() {
  static const CatalogSource kSource{.folder = "celeba",
                                     .title = "CelebA faces, aligned and cropped, with their attributes; img_align_celeba.zip unpacked",
                                     .home = kCelebaHome,
                                     .reference = kCelebaReference,
                                     .files = {{"img_align_celeba",
                                                {202599, 218, 178},
                                                "pixels",
                                                {"img_align_celeba.zip", 1443490838, "00d2c5bc6d35e252742224ab0c1e8fcb"},
                                                read_celeba_images_content,
                                                ""},
                                               {"list_attr_celeba.txt",
                                                {202599, 40},
                                                "attributes",
                                                attribute_list(),
                                                read_celeba_attributes_content,
                                                "f0e5da289d5ccf75ffe8811132694922b60f2af59256ed362afa03fefba324d0"},
                                               {"list_eval_partition.txt",
                                                {202599},
                                                "parts",
                                                {"list_eval_partition.txt", 2836386, "d32c9cbf5e040fd4025c592c306e6668"},
                                                read_celeba_partition_content,
                                                "fc955bcb3ef8fbdf7d5640d9a8693a8431b5f2ee291a5c1449a1549e7e073fe7"}}};
  return kSource;
}

const CatalogSource& celeba_table() {
  static const CatalogSource kSource{
      .folder = "celeba",
      .title =
          "CelebA's attribute table packed into 5 bytes a face, least significant bit first, plain or .xz; "
          "without it the workload draws attributes from a model of the table",
      .home = kCelebaHome,
      .reference = kCelebaReference,
      .files = {{"attr_bits.bin", {202599, 40}, "attributes", attribute_list(), read_face_table_content, "", true}}};
  return kSource;
}

const CatalogSource& gsm8k() {
  static const CatalogSource kSource{.folder = "gsm8k",
                                     .title = "GSM8K word problems",
                                     .home = "https://github.com/openai/grade-school-math",
                                     .reference = "Cobbe et al.: Training verifiers to solve math word problems, arXiv:2110.14168",
                                     .files = {{"train.jsonl", {7473}, "questions", {"train.jsonl", 0, ""}, read_gsm8k_content, ""},
                                               {"test.jsonl", {1319}, "questions", {"test.jsonl", 0, ""}, read_gsm8k_content, ""}}};
  return kSource;
}

const CatalogSource& competition_math() {
  static const CatalogSource kSource{
      .folder = "math",
      .title =
          "MATH problems, the archive unpacked (train/ and test/, here or in MATH/), or as two files of a JSON object per line: "
          "problem, and solution or (to train on) answer alone",
      .home = "https://github.com/hendrycks/math",
      .reference = "Hendrycks et al.: Measuring mathematical problem solving with the MATH dataset, 2021",
      .files = {{"train-answers.jsonl", {7500}, "problems", {"MATH.tar", 0, ""}, read_competition_math_content, ""},
                {"test.jsonl", {5000}, "problems", {"MATH.tar", 0, ""}, read_competition_math_content, ""}}};
  return kSource;
}

const CatalogSource& mbpp() {
  static const CatalogSource kSource{
      .folder = "mbpp",
      .title = "MBPP programs, 374 to train on, 90 for validation, 500 to test on; the published file's ten prompts are left out",
      .home = "https://github.com/google-research/google-research/tree/master/mbpp",
      .reference = "Austin et al.: Program synthesis with large language models, arXiv:2108.07732",
      .files = {{"mbpp.jsonl", {964}, "questions", {"mbpp.jsonl", 0, ""}, read_mbpp_content, ""}}};
  return kSource;
}

const CatalogSource& humaneval() {
  static const CatalogSource kSource{
      .folder = "humaneval",
      .title = "HumanEval functions to complete",
      .home = "https://github.com/openai/human-eval",
      .reference = "Chen et al.: Evaluating large language models trained on code, arXiv:2107.03374",
      .files = {{"HumanEval.jsonl", {164}, "questions", {"HumanEval.jsonl.gz", 0, ""}, read_humaneval_content, ""}}};
  return kSource;
}

}  // namespace

std::span<const CatalogEntry> data_catalog() {
  static const std::vector<CatalogEntry> kCatalog = {
      {"mnist_fmnist", "a digit and a garment on one canvas", {&mnist(), &fashion_mnist()}},
      {"multimnist", "two digits on one canvas", {&mnist()}},
      {"cifar10_mnist", "a digit over a photograph", {&cifar10(), &mnist()}},
      {"qm9", "eleven properties of small molecules", {&qm9()}},
      {"celeba", "photographs of faces with 40 attributes", {&celeba()}},
      {"celeba5", "the same, in five groups of eight", {&celeba()}},
      {"faces", "drawn faces with 40 attributes", {&celeba_table()}},
      {"gsm8k", "word problems of grade school", {&gsm8k()}},
      {"math", "problems of mathematics competitions", {&competition_math()}},
      {"mbpp", "small Python programs", {&mbpp()}},
      {"humaneval", "the same to train on, other functions to test on", {&mbpp(), &humaneval()}},
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

std::string data_command(std::string_view workload) {
  const auto catalog = data_catalog();
  const bool known = std::any_of(catalog.begin(), catalog.end(), [&](const CatalogEntry& entry) { return entry.workload == workload; });
  return known ? fmt::format("paretofl data {}", workload) : "paretofl data";
}

std::vector<FileCheck> check_source(const CatalogSource& source, const std::filesystem::path& root) {
  std::vector<FileCheck> checks;
  for (const CatalogFile& file : source.files) checks.push_back(check_file(file, root / source.folder));
  return checks;
}

}  // namespace paretofl
