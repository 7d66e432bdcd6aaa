#include "paretofl/runs/run_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class RunStartTest : public testing::Test {
 protected:
  RunStartTest() { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "run_start";
};

TEST_F(RunStartTest, EveryStartHasARandomNumberSoThatCopiesOfADirectoryDiffer) {
  const RunStart first = RunStart::next(folder_ / "run");
  EXPECT_THAT(first.run, SizeIs(32));
  EXPECT_THAT(first.starts, SizeIs(1));
  std::filesystem::copy(folder_ / "run", folder_ / "copy", std::filesystem::copy_options::recursive);
  const RunStart second = RunStart::next(folder_ / "run");
  const RunStart of_copy = RunStart::next(folder_ / "copy");
  for (const RunStart& start : {second, of_copy}) {
    EXPECT_EQ(start.run, first.run);
    EXPECT_THAT(start.starts, SizeIs(2));
    EXPECT_EQ(start.starts[0], first.starts[0]);
    EXPECT_EQ(start.current(), fmt::format("{:016x}", start.starts[1]));
  }
  EXPECT_NE(second.starts[1], of_copy.starts[1]);
}

TEST_F(RunStartTest, ADamagedFileIsAnError) {
  std::filesystem::create_directories(folder_ / "federation");
  const std::string run = R"("run": "00112233445566778899aabbccddeeff", )";
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string(R"({"run": "a"})"), std::string(R"({"run": 1, "starts": ["0000000000000001"]})"),
        std::string(R"({"run": "a", "starts": ["0000000000000001"]})"),
        std::string(R"({"run": "00112233445566778899AABBCCDDEEFF", "starts": ["0000000000000001"]})"), "{" + run + R"("starts": 3})",
        "{" + run + R"("starts": []})", "{" + run + R"("starts": ["1"]})", "{" + run + R"("starts": [1]})",
        "{" + run + R"("starts": ["000000000000000g"]})", "{" + run + R"("starts": ["00000000000000001"]})"}) {
    std::ofstream(folder_ / RunStart::kFile) << text;
    try {
      RunStart::next(folder_);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("run.json: "), HasSubstr("expected"), HasSubstr("found"))) << text;
    }
  }
}

}  // namespace
}  // namespace paretofl
