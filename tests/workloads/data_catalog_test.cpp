#include "paretofl/workloads/data_catalog.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/data_folder.h"
#include "tests/workloads/idx_bytes.h"

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
      EXPECT_EQ(part->files.size(), 4U);
      EXPECT_THAT(part->home, HasSubstr("://"));
      for (const CatalogFile& file : part->files) {
        EXPECT_EQ(file.gz_md5.size(), 32U);
        EXPECT_TRUE(file.sha256.empty() || file.sha256.size() == 64);
        EXPECT_GT(file.gz_bytes, 0U);
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
  EXPECT_THAT(checks[0].problem, HasSubstr("train-images-idx3-ubyte: expected 60000 x 28 x 28 values, found 2 x 28 x 28"));
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

TEST(DataCatalog, AcceptsTheRealFiles) {
  PARETOFL_NEEDS_DATA("mnist");
  PARETOFL_NEEDS_DATA("fashion_mnist");
  for (const CatalogSource* part : catalog_entry("mnist_fmnist").sources) {
    for (const FileCheck& check : check_source(*part, data_folder())) EXPECT_TRUE(check.ok()) << check.problem;
  }
  EXPECT_EQ(check_source(source("multimnist", 0), data_folder())[3].found, "10000, content as published");
}

}  // namespace
}  // namespace paretofl
