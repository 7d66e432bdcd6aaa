#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/data_folder.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

struct Listing {
  int code = -1;
  std::string out;
};

// Runs `paretofl data` with these arguments; `streams` may send stderr where stdout goes.
Listing data(const std::string& arguments, const std::string& streams = "2>/dev/null") {
  std::FILE* pipe = ::popen((command_path() + " data " + arguments + " " + streams).c_str(), "r");
  Listing outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) outcome.out.append(buffer.data(), count);
  outcome.code = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

std::string missing_folder() { return (std::filesystem::path(testing::TempDir()) / "paretofl_no_such_folder").string(); }

TEST(DataCommand, ListsFilesAndHomes) {
  const Listing all = data("");
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.out,
              testing::AllOf(HasSubstr("yann.lecun.com/exdb/mnist"), HasSubstr("zalandoresearch/fashion-mnist"),
                             HasSubstr("60000 x 28 x 28 pixels; from train-images-idx3-ubyte.gz, 9912422 bytes, MD5 f68b3c2d"),
                             HasSubstr("from cifar-10-binary.tar.gz, MD5 c32a1d4a"),
                             HasSubstr("202599 x 40 attributes, optional; from list_attr_celeba.txt, 26721026 bytes, MD5 75e246fa"),
                             HasSubstr("202599 x 218 x 178 pixels; from img_align_celeba.zip, 1443490838 bytes")));
  EXPECT_THAT(data("multimnist").out, testing::Not(HasSubstr("fashion")));
}

TEST(DataCommand, ListsAsJson) {
  const auto list = nlohmann::json::parse(data("mnist_fmnist --json").out);
  ASSERT_EQ(list["workloads"].size(), 1U);
  EXPECT_EQ(list["workloads"][0]["workload"], "mnist_fmnist");
  const auto& file = list["workloads"][0]["sources"][0]["files"][0];
  EXPECT_EQ(file["name"], "train-images-idx3-ubyte");
  EXPECT_EQ(file["shape"], nlohmann::json({60000, 28, 28}));
  EXPECT_EQ(file["published"]["bytes"], 9912422);
  const auto face_list = nlohmann::json::parse(data("faces --json").out);
  const auto& table = face_list["workloads"][0]["sources"][0]["files"][0];
  EXPECT_EQ(table["optional"], true);
  EXPECT_EQ(table["published"]["name"], "list_attr_celeba.txt");
}

TEST(DataCommand, RefusesUnknownNames) {
  EXPECT_EQ(data("minst").code, 1);
  EXPECT_EQ(data("minst", "2>&1").out,
            "paretofl: data: expected a workload with data files, one of mnist_fmnist, multimnist, cifar10_mnist, qm9, celeba, celeba5, "
            "faces, gsm8k, math, mbpp, humaneval; found 'minst'\n");
  EXPECT_NE(data("--unknown").code, 0);
}

TEST(DataCommand, CheckNeedsAFolder) {
  EXPECT_EQ(data("--check " + missing_folder()).code, 1);
  EXPECT_THAT(data("--check " + missing_folder(), "2>&1").out, HasSubstr("expected a folder to check, found none"));
}

TEST(DataCommand, CheckFailsWithOneLinePerProblem) {
  const std::string folder = (std::filesystem::path(testing::TempDir()) / "paretofl_empty_folder").string();
  std::filesystem::create_directories(folder);
  EXPECT_EQ(data("multimnist --check " + folder).code, 1);
  EXPECT_EQ(data("multimnist --check " + folder).out, "");
  const std::string problems = data("multimnist --check " + folder, "2>&1").out;
  EXPECT_EQ(std::count(problems.begin(), problems.end(), '\n'), 4);
  const Listing json = data("multimnist --json --check " + folder);
  EXPECT_EQ(json.code, 1);
  const auto report = nlohmann::json::parse(json.out);
  EXPECT_EQ(report["ok"], false);
  EXPECT_THAT(report["files"][2]["problem"].get<std::string>(), HasSubstr("t10k-images-idx3-ubyte"));
}

TEST(DataCommand, FacesDoWithoutTheirTable) {
  const std::string folder = (std::filesystem::path(testing::TempDir()) / "paretofl_no_faces").string();
  std::filesystem::create_directories(folder);
  const Listing outcome = data("faces --check " + folder, "2>&1");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("attr_bits.bin: absent"));
}

TEST(DataCommand, HelpShowsAnExample) {
  const Listing help = data("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("Example"));
  EXPECT_THAT(help.out, HasSubstr("Not checked: whether all other files hold what was published"));
}

TEST(DataCommand, AcceptsTheRealFiles) {
  PARETOFL_NEEDS_DATA("mnist");
  PARETOFL_NEEDS_DATA("fashion_mnist");
  const Listing text = data("mnist_fmnist --check " + data_folder().string(), "2>&1");
  EXPECT_EQ(text.code, 0) << text.out;
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 8);
  EXPECT_THAT(text.out, HasSubstr("mnist/t10k-labels-idx1-ubyte.gz: 10000 labels, content as published\n"));
  EXPECT_THAT(text.out, HasSubstr("fashion_mnist/t10k-labels-idx1-ubyte.gz: 10000 labels\n"));
  EXPECT_EQ(nlohmann::json::parse(data("mnist_fmnist --json --check " + data_folder().string()).out)["ok"], true);
}

}  // namespace
}  // namespace paretofl
