// Ids and texts that a reference library recorded for published vocabularies.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/json_text.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using nlohmann::json;

json recorded(const std::string& name) { return parse_json(read_text(data_folder() / "tokenizers" / name), name); }

struct Case {
  std::string tokenizer;
  std::string baseline;
  std::string article;  ///< one long text in French
};

// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Case& published, std::ostream* out) { *out << published.tokenizer; }

class PublishedTokenizer : public testing::TestWithParam<Case> {};

TEST_P(PublishedTokenizer, MeetsTheRecordedIds) {
  PARETOFL_NEEDS_DATA("tokenizers");
  const auto tokenizer = load_tokenizer(data_folder() / "tokenizers" / GetParam().tokenizer);
  std::map<std::string, std::string> texts;
  const json inputs = recorded("inputs_b.json").at("inputs");
  for (const json& input : inputs) texts[input.at("id")] = input.at("text");
  const json entries = recorded(GetParam().baseline).at("entries");
  EXPECT_EQ(entries.size(), 30U);
  for (const auto& [id, entry] : entries.items()) {
    const TokenIds ids = entry.at("input_ids");
    EXPECT_EQ(tokenizer->encode(texts.at(id), true), ids) << id;
    EXPECT_EQ(tokenizer->decode(ids), entry.at("decoded_with_special")) << id;
    EXPECT_EQ(tokenizer->decode(ids, true), entry.at("decoded_skip_special")) << id;
  }
}

TEST_P(PublishedTokenizer, MeetsTheRecordedArticle) {
  PARETOFL_NEEDS_DATA("tokenizers");
  const auto tokenizer = load_tokenizer(data_folder() / "tokenizers" / GetParam().tokenizer);
  const json article = recorded(GetParam().article);
  EXPECT_EQ(tokenizer->encode(article.at("text").get<std::string>(), true), article.at("token_ids").get<TokenIds>());
}

INSTANTIATE_TEST_SUITE_P(All, PublishedTokenizer,
                         testing::Values(Case{"gpt2_tokenizer.json.gz", "baseline_gpt2.json", "gpt2_encoded_tokens.json"},
                                         Case{"gpt2-vocab.json.gz", "baseline_gpt2.json", "gpt2_encoded_tokens.json"},
                                         Case{"llama_tokenizer.json.gz", "baseline_tinyllama.json", "llama_encoded.json"},
                                         Case{"llama2_tokenizer.model", "baseline_tinyllama.json", "llama_encoded.json"}));

}  // namespace
}  // namespace paretofl
