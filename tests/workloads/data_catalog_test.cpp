#include "paretofl/workloads/data_catalog.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/data_folder.h"
#include "tests/images/celeba_files.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

const CatalogSource& source(std::string_view workload, std::size_t index) { return *catalog_entry(workload).sources.at(index); }

TEST(DataCatalog, KnowsTheDigitWorkloads) {
  EXPECT_EQ(source("mnist_fmnist", 0).folder, "mnist");
  EXPECT_EQ(source("mnist_fmnist", 1).folder, "fashion_mnist");
  EXPECT_EQ(source("multimnist", 0).folder, "mnist");
  EXPECT_THROW(catalog_entry("minst"), Error);
}

TEST(DataCatalog, EntriesAreComplete) {
  for (const CatalogEntry& entry : data_catalog()) {
    for (const CatalogSource* part : entry.sources) {
      EXPECT_FALSE(part->files.empty());
      EXPECT_THAT(part->home, HasSubstr("://"));
      for (const CatalogFile& file : part->files) {
        EXPECT_FALSE(file.name.empty() || file.shape.empty() || file.unit.empty() || file.published.name.empty());
        EXPECT_TRUE(file.published.md5.empty() || file.published.md5.size() == 32);
        EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64);
      }
    }
  }
}

TEST(DataCatalog, EveryProblemIsOneLineOfItsOwn) {
  const auto root = empty_folder("data_catalog");
  const auto folder = root / "mnist";
  write_bytes(folder / "train-images-idx3-ubyte", idx_bytes({2, 28, 28}, Bytes(2 * 28 * 28)));   // too few
  write_bytes(folder / "train-labels-idx1-ubyte", {1, 2, 3});                                    // no IDX file
  write_bytes(folder / "t10k-labels-idx1-ubyte.gz", gzip(idx_bytes({10000}, Bytes(10000, 7))));  // other content
  const auto checks = check_source(source("multimnist", 0), root);
  ASSERT_EQ(checks.size(), 4U);
  EXPECT_THAT(checks[0].problem, HasSubstr("train-images-idx3-ubyte: expected 60000 x 28 x 28 pixels, found 2 x 28 x 28"));
  EXPECT_THAT(checks[1].problem, HasSubstr("train-labels-idx1-ubyte: expected an IDX header"));
  EXPECT_THAT(checks[2].problem, HasSubstr("expected the file t10k-images-idx3-ubyte"));
  EXPECT_THAT(checks[3].problem, HasSubstr("t10k-labels-idx1-ubyte.gz: expected the published content"));
  for (const FileCheck& check : checks) {
    EXPECT_FALSE(check.ok());
    EXPECT_TRUE(check.found.empty());
    EXPECT_THAT(check.problem, testing::Not(HasSubstr("\n")));
  }
}

TEST(DataCatalog, LabelsMustBeClasses) {
  const auto root = empty_folder("data_catalog_labels");
  Bytes labels(10000, 7);
  const auto file = root / "fashion_mnist" / "t10k-labels-idx1-ubyte";
  write_bytes(file, idx_bytes({10000}, labels));
  EXPECT_TRUE(check_source(source("mnist_fmnist", 1), root)[3].ok());
  labels[9999] = 10;
  write_bytes(file, idx_bytes({10000}, labels));
  EXPECT_THAT(check_source(source("mnist_fmnist", 1), root)[3].problem, HasSubstr("expected labels below 10, found 10"));
}

TEST(DataCatalog, Cifar10IsSixWholeBatches) {
  const auto root = empty_folder("data_catalog_cifar");
  const auto folder = root / "cifar10" / "cifar-10-batches-bin";
  write_bytes(folder / "data_batch_1.bin", Bytes(std::size_t{10000} * 3073, 9));
  for (const char* name : {"data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}) {
    std::filesystem::create_hard_link(folder / "data_batch_1.bin", folder / name);
  }
  const CatalogSource& cifar10 = source("cifar10_mnist", 0);
  for (const FileCheck& check : check_source(cifar10, root)) EXPECT_EQ(check.found, "10000 x 3073 bytes") << check.problem;
  std::filesystem::remove(folder / "data_batch_3.bin");
  write_bytes(folder / "data_batch_4.bin.new", Bytes(3073 * 2, 9));
  std::filesystem::rename(folder / "data_batch_4.bin.new", folder / "data_batch_4.bin");
  write_bytes(folder / "data_batch_5.bin.new", Bytes(3073 * 2 - 1, 9));
  std::filesystem::rename(folder / "data_batch_5.bin.new", folder / "data_batch_5.bin");
  const auto checks = check_source(cifar10, root);
  ASSERT_EQ(checks.size(), 6U);
  EXPECT_TRUE(checks[0].ok() && checks[1].ok() && checks[5].ok());
  EXPECT_THAT(checks[2].problem, HasSubstr("data_batch_3.bin: expected a file"));
  EXPECT_THAT(checks[3].problem, HasSubstr("data_batch_4.bin: expected 10000 x 3073 bytes, found 2 x 3073"));
  EXPECT_THAT(checks[4].problem, HasSubstr("data_batch_5.bin: expected records of 3073 bytes"));
  std::filesystem::remove_all(root);
}

// Hydrogen molecules in QM9's format, as many as QM9 has molecules.
TEST(DataCatalog, Qm9IsEachOfItsMoleculesOnce) {
  const auto root = empty_folder("data_catalog_qm9");
  const auto write = [&](const std::string& name, const std::string& text) {
    write_bytes(root / "qm9" / name, Bytes(text.begin(), text.end()));
  };
  const auto molecules = [](int first, int last) {
    std::string text;
    for (int i = first; i <= last; ++i) {
      text += "2\ngdb " + std::to_string(i) + " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nH 0 0 0 0\nH 0 0 0.7 0\n4400\nH H\nInChI=1 InChI=1\n";
    }
    return text;
  };
  std::string rows;
  for (int i = 1; i <= 3054; ++i) rows += std::to_string(i) + " C C C 0\n";
  const auto checks = [&] { return check_source(source("qm9", 0), root); };
  EXPECT_THAT(checks()[0].problem, HasSubstr("expected dsgdb9nsd.xyz, dsgdb9nsd.xyz.gz or dsgdb9nsd_*.xyz"));
  EXPECT_THAT(checks()[1].problem, HasSubstr("expected uncharacterized.txt"));
  write("dsgdb9nsd_000001.xyz", molecules(1, 2));
  write("dsgdb9nsd_000003.xyz", molecules(3, 133885));
  write("uncharacterized.txt", rows);
  EXPECT_EQ(checks()[0].found, "133885 molecules") << checks()[0].problem;
  EXPECT_EQ(checks()[1].found, "3054 molecules left out") << checks()[1].problem;
  write("dsgdb9nsd_000003.xyz", molecules(2, 3));
  write("uncharacterized.txt", rows.substr(0, rows.size() - 3));
  EXPECT_THAT(checks()[0].problem, HasSubstr("expected each molecule once, found gdb 2 again"));
  EXPECT_THAT(checks()[1].problem, HasSubstr("uncharacterized.txt:3054: expected an index"));
  write("dsgdb9nsd_000003.xyz", molecules(3, 4));
  EXPECT_THAT(checks()[0].problem, HasSubstr("expected 133885 molecules, found 4"));
  std::filesystem::remove_all(root);
}

TEST(DataCatalog, TheTableOfFacesIsOptional) {
  const auto root = empty_folder("data_catalog_faces");
  const auto check = [&] { return check_source(source("faces", 0), root)[0]; };
  EXPECT_EQ(check().found, "absent, which will do");
  const auto file = root / "celeba" / "attr_bits.bin";
  write_bytes(file, Bytes(std::size_t{202599} * 5, 1));
  EXPECT_EQ(check().found, "202599 x 40 attributes") << check().problem;
  write_bytes(file, Bytes(std::size_t{202598} * 5, 1));
  EXPECT_THAT(check().problem, HasSubstr("attr_bits.bin: expected 202599 x 40 attributes, found 202598 x 40"));
  write_bytes(file, Bytes(std::size_t{202599} * 5 - 1, 1));
  EXPECT_THAT(check().problem, HasSubstr("attr_bits.bin: expected rows of 5 bytes"));
}

// What the published lists give is in celeba_lists_test.cpp.
TEST(DataCatalog, CelebaIsItsListsAndEachOfItsImages) {
  const auto root = empty_folder("data_catalog_celeba");
  const auto checks = [&] { return check_source(source("celeba5", 0), root); };
  ASSERT_EQ(checks().size(), 3U);
  EXPECT_THAT(checks()[0].problem, HasSubstr("img_align_celeba: expected a folder of JPEG files, found none"));
  EXPECT_THAT(checks()[1].problem, HasSubstr("list_attr_celeba.txt: expected a file"));
  EXPECT_THAT(checks()[2].problem, HasSubstr("list_eval_partition.txt: expected a file"));
  write_celeba_files(root / "celeba", even_faces(3, 1), {1, 1, 1}, 0.1, Random({1}, "faces"));
  EXPECT_THAT(checks()[0].problem, HasSubstr("000004.jpg: expected a file"));
  EXPECT_THAT(checks()[1].problem, HasSubstr("list_attr_celeba.txt: expected 202599 x 40 attributes, found 3 x 40"));
  EXPECT_THAT(checks()[2].problem, HasSubstr("list_eval_partition.txt:4: expected 000004.jpg, found the end of the file"));
  const std::string all = celeba_attribute_list(std::vector<FaceBits>(202599));
  write_bytes(root / "celeba" / "list_attr_celeba.txt", Bytes(all.begin(), all.end()));
  EXPECT_THAT(checks()[1].problem, HasSubstr("list_attr_celeba.txt: expected the published content (SHA-256 f0e5da28"));
  std::filesystem::remove_all(root);
}

TEST(DataCatalog, AcceptsTheRealFiles) {
  for (const char* questions : {"gsm8k", "math", "humaneval"}) {
    PARETOFL_NEEDS_DATA(questions);
    for (const CatalogSource* part : catalog_entry(questions).sources) {
      for (const FileCheck& check : check_source(*part, data_folder())) EXPECT_TRUE(check.ok()) << check.problem;
    }
  }
  PARETOFL_NEEDS_DATA("mnist");
  PARETOFL_NEEDS_DATA("fashion_mnist");
  for (const CatalogSource* part : catalog_entry("mnist_fmnist").sources) {
    for (const FileCheck& check : check_source(*part, data_folder())) EXPECT_TRUE(check.ok()) << check.problem;
  }
  PARETOFL_NEEDS_DATA("celeba/attr_bits.bin.xz");
  const FileCheck table = check_source(source("faces", 0), data_folder())[0];
  EXPECT_EQ(table.found, "202599 x 40 attributes") << table.problem;
  EXPECT_THAT(table.file, HasSubstr("attr_bits.bin.xz"));
  EXPECT_EQ(check_source(source("multimnist", 0), data_folder())[3].found, "10000 labels, content as published");
}

}  // namespace
}  // namespace paretofl
