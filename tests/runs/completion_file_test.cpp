#include "paretofl/runs/completion_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

TEST(CompletionFile, ARunThatGoesOnKeepsTheRoundsOfItsCheckpoint) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "completion_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto text = [&] {
    std::stringstream all;
    all << std::ifstream(folder / CompletionFile::kName).rdbuf();
    return all.str();
  };
  const CompletionFile file(folder);
  file.rewind(3);
  file.append("");
  EXPECT_FALSE(std::filesystem::exists(folder / CompletionFile::kName));
  const std::string two = "{\"round\":2,\"client\":0}\n{\"round\":2,\"client\":1}\n";
  const std::string four = "{\"round\":4,\"client\":0}\n";
  file.append(two);
  file.append(four);
  file.rewind(4);
  EXPECT_EQ(text(), two + four);
  file.append("{\"round\":6,\"cli");
  file.rewind(5);
  EXPECT_EQ(text(), two + four) << "a half-written line";
  file.rewind(3);
  EXPECT_EQ(text(), two);
  file.append("{\"client\":1}\n");
  EXPECT_THAT([&] { file.rewind(3); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("training_completions.jsonl:3: expected a line with a round")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace paretofl
