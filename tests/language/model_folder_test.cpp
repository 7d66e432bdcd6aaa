#include "paretofl/language/model_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(ModelFolder, ATokenizerIsCopiedWithWhatStandsBesideIt) {
  const fs::path from = testing::TempDir() + "tokenizer_from", to = testing::TempDir() + "tokenizer_to";
  for (const bool whole : {true, false}) {
    for (const fs::path& folder : {from, to}) {
      fs::remove_all(folder);
      fs::create_directories(folder);
    }
    for (const char* name : {"vocab.json", "merges.txt", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                             "chat_template.jinja", "something.txt"}) {
      std::ofstream(from / name) << (std::string(name) == "vocab.json" ? "{}" : name);
    }
    copy_tokenizer(whole ? from : from / "vocab.json", to);
    EXPECT_THAT(names_in(to), UnorderedElementsAre("vocab.json", "merges.txt", "tokenizer_config.json", "special_tokens_map.json",
                                                   "added_tokens.json", "chat_template.jinja"));
  }
}

}  // namespace
}  // namespace paretofl
