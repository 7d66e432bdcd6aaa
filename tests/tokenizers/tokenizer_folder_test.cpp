#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_alphabet.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/tokenizer_config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A folder with a vocabulary and what stands beside it, gone at the end of a test.
class TokenizerFolder : public testing::Test {
 protected:
  TokenizerFolder() : folder_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TokenizerFolder() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& content) const { std::ofstream(folder_ / name, std::ios::binary) << content; }
  void write(const std::string& name, const json& content) const { write(name, content.dump()); }

  /// Bytes, then "ab" (256) and " ab" (257).
  void write_vocabulary() const {
    json vocab;
    for (int byte = 0; byte < 256; ++byte) vocab[to_byte_alphabet(std::string(1, static_cast<char>(byte)))] = byte;
    const std::string space = to_byte_alphabet(" ");
    vocab["ab"] = 256;
    vocab[space + "ab"] = 257;
    write("vocab.json", vocab);
    write("merges.txt", "#version: 0.2\na b\n" + space + " ab\n");
  }

  std::unique_ptr<const Tokenizer> load() const { return load_tokenizer(folder_); }
  TokenIds encode(const std::string& text) const { return load()->encode(text, true); }
  std::string refusal() const {
    try {
      load();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(TokenizerFolder, AddedTokensOfOlderFilesAreWhole) {
  write_vocabulary();
  write("added_tokens.json", json{{"<|im_end|>", 259}, {"<|im_start|>", 258}});
  write("special_tokens_map.json", json{{"additional_special_tokens", {"<|im_start|>"}}, {"eos_token", {{"content", "<|im_end|>"}}}});
  const auto tokenizer = load();
  EXPECT_THAT(tokenizer->encode("<|im_start|>ab ab<|im_end|>"), ElementsAre(258, 256, 257, 259));
  EXPECT_EQ(tokenizer->decode(TokenIds{258, 256, 259}), "<|im_start|>ab<|im_end|>");
  EXPECT_EQ(tokenizer->decode(TokenIds{258, 256, 259}, true), "ab");
  EXPECT_EQ(tokenizer->end_of_sequence(), 259);
  EXPECT_EQ(tokenizer->vocabulary_size(), 260U);
  write("added_tokens.json", json{{"<x>", 258}});
  EXPECT_THAT(refusal(),
              HasSubstr("expected the token '<|im_start|>' of additional_special_tokens in the vocabulary or among its added tokens"));
}

TEST_F(TokenizerFolder, AddedTokensHaveTheirFlags) {
  write_vocabulary();
  const json left = {{"content", "<l>"}, {"lstrip", true}, {"special", true}}, right = {{"content", "<r>"}, {"rstrip", true}};
  const json word = {{"content", "a"}, {"single_word", true}};
  write("tokenizer_config.json", json{{"added_tokens_decoder", {{"97", word}, {"258", left}, {"259", right}}}});
  write("added_tokens.json", json{{"not read beside it", 7}});
  EXPECT_THAT(encode("ab <l> ab<r>  a ab"), ElementsAre(256, 258, 257, 259, 97, 257));
  EXPECT_EQ(load()->decode(TokenIds{258, 259, 97}, true), "<r>a");
  for (const auto& [id, message] : {std::pair{"260", "expected the added token '<l>' under the id 258, found 260"},
                                    {"5", "expected the added token '<l>' under the id 258, found 5"},
                                    {"x", "expected ids from 0 to 16777215, found 'x'"},
                                    {"-1", "expected ids from 0 to 16777215, found '-1'"}}) {
    write("tokenizer_config.json", json{{"added_tokens_decoder", {{id, left}}}});
    EXPECT_THAT(refusal(), HasSubstr(message));
  }
}

TEST_F(TokenizerFolder, WhiteSpaceThatATokenTookAlongIsNoOtherToken) {
  write_vocabulary();
  write("tokenizer_config.json", json{{"added_tokens_decoder", {{"258", {{"content", "\n"}, {"lstrip", true}, {"rstrip", true}}}}}});
  EXPECT_THAT(encode("ab \n\n a\n"), ElementsAre(256, 258, 'a', 258));
}

TEST_F(TokenizerFolder, NamedTokensGetTheNextIds) {
  write_vocabulary();
  write("tokenizer_config.json", json{{"tokenizer_class", "GPT2Tokenizer"},
                                      {"pad_token", "<pad>"},
                                      {"bos_token", "ab"},
                                      {"image_token", "<image>"},
                                      {"unk_token", nullptr},
                                      {"extra_special_tokens", {"<extra>"}}});
  // The class's own end of sequence comes first, then the pad, the image's and the list's.
  EXPECT_THAT(encode("<pad>a<extra><image><|endoftext|>ab"), ElementsAre(259, 'a', 261, 260, 258, 256));
  EXPECT_EQ(load()->beginning_of_sequence(), 256);
  EXPECT_EQ(load()->end_of_sequence(), 258);
}

TEST_F(TokenizerFolder, TheOlderListAddsNoTokensBesideTheNewerOne) {
  write_vocabulary();
  write("tokenizer_config.json", json{{"extra_special_tokens", {"<x>"}}, {"additional_special_tokens", {"ab"}}});
  EXPECT_EQ(refusal(), "no error");
  write("tokenizer_config.json", json{{"extra_special_tokens", {"<x>"}}, {"additional_special_tokens", {"<y>"}}});
  EXPECT_THAT(refusal(), HasSubstr("expected the token '<y>' of additional_special_tokens in the vocabulary"));
}

TEST_F(TokenizerFolder, TheClassDecidesTheWords) {
  write_vocabulary();
  EXPECT_THAT(encode("e\u0301"), ElementsAre('e', 0xCC, 0x81));
  EXPECT_THAT(encode("b ab1"), ElementsAre('b', 257, '1'));
  for (const bool by_model : {false, true}) {
    write(by_model ? "config.json" : "tokenizer_config.json",
          json{{by_model ? "model_type" : "tokenizer_class", by_model ? "qwen2" : "Qwen2TokenizerFast"}});
    if (by_model) write("tokenizer_config.json", json{{"tokenizer_class", "GPT2Tokenizer"}});
    EXPECT_THAT(encode("e\u0301"), ElementsAre(0xC3, 0xA9)) << "composed";
    EXPECT_THAT(encode("(ab"), ElementsAre('(', 256));
  }
  write("config.json", json{{"model_type", "gpt2"}});
  write("tokenizer_config.json", json{{"tokenizer_class", "RobertaTokenizer"}});
  EXPECT_THAT(refusal(), HasSubstr("expected GPT2Tokenizer or Qwen2Tokenizer for a vocab.json, found 'RobertaTokenizer'"));
  write("config.json", json{{"model_type", "opt"}});
  write("tokenizer_config.json", json::object());
  EXPECT_THAT(refusal(), HasSubstr("found 'opt'"));
}

TEST_F(TokenizerFolder, QwensClassTakesFlagsOfSpecialTokensAway) {
  write_vocabulary();
  const json end = {{"content", "<e>"}, {"rstrip", true}, {"special", true}};
  for (const auto& [name, ids] : {std::pair{"GPT2Tokenizer", TokenIds{258}}, {"Qwen2Tokenizer", TokenIds{258, ' '}}}) {
    write("tokenizer_config.json", json{{"tokenizer_class", name}, {"eos_token", "<e>"}, {"added_tokens_decoder", {{"258", end}}}});
    EXPECT_EQ(encode("<e> "), ids) << name;
  }
}

TEST_F(TokenizerFolder, EndsAndPrefixesAreTheConfigs) {
  write_vocabulary();
  write("tokenizer_config.json",
        json{{"bos_token", "<b>"}, {"eos_token", "<e>"}, {"add_bos_token", true}, {"add_eos_token", true}, {"add_prefix_space", true}});
  EXPECT_THAT(encode("ab<e>ab"), ElementsAre(258, 257, 259, 257, 259));
  write("tokenizer_config.json", json{{"bos_token", nullptr}, {"add_bos_token", true}});
  EXPECT_THAT(encode("ab"), ElementsAre(256));
}

TEST_F(TokenizerFolder, KeysNobodyKnowsAreNamed) {
  write_vocabulary();
  for (const char* key :
       {"split_special_tokens", "do_lower_case", "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output", "new"}) {
    write("tokenizer_config.json", json{{key, true}});
    EXPECT_THAT(refusal(),
                HasSubstr(fmt::format("expected no key '{}', which is not supported, found true", std::string(key).substr(0, 40))));
    for (const json& nothing : {json(false), json(nullptr), json::object(), json("")}) {
      write("tokenizer_config.json", json{{key, nothing}});
      EXPECT_EQ(refusal(), "no error");
    }
  }
  write("tokenizer_config.json",
        json{{"model_max_length", 1e30}, {"padding_side", "left"}, {"errors", "replace"}, {"sp_model_kwargs", json::object()}});
  EXPECT_EQ(refusal(), "no error");
  write("tokenizer_config.json", json{{"pad_token", 3}});
  EXPECT_THAT(refusal(), HasSubstr("pad_token: expected a token, as text or object, found number"));
  write("tokenizer_config.json", json::array());
  EXPECT_THAT(refusal(), HasSubstr("tokenizer_config.json: expected an object, found array"));
}

TEST_F(TokenizerFolder, ATokenizerJsonTakesTheConfigsTokens) {
  write("tokenizer.json", std::string(R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], [" ", -1]]},
                                          "added_tokens": [{"id": 3, "content": "<s>", "special": true}]})"));
  EXPECT_THAT(encode("<s> a"), ElementsAre(3, 2, 1));
  write("tokenizer_config.json",
        json{{"added_tokens_decoder", {{"3", {{"content", "<s>"}, {"rstrip", true}}}, {"4", {{"content", "<t>"}}}}}});
  EXPECT_THAT(encode("<s> a<t>"), ElementsAre(3, 1, 4)) << "the config's flags count";
  fs::remove(folder_ / "tokenizer_config.json");
  write("added_tokens.json", json{{"<s>", 3}, {"<t>", 4}});
  EXPECT_EQ(load()->decode(TokenIds{3, 4}, true), "<t>") << "the older file's do not";
  write("tokenizer_config.json", json{{"unk_token", "<unk>"}});
  EXPECT_THAT(encode("a<unk>"), ElementsAre(1, 0));
}

TEST_F(TokenizerFolder, SpacesAreCleanedUpForUnigramsAlone) {
  json file = json::parse(R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], [".", -1], ["n't", -1]]}})");
  write("tokenizer.json", file);
  write("tokenizer_config.json", json{{"clean_up_tokenization_spaces", true}});
  EXPECT_EQ(load()->decode(TokenIds{1, 3, 2}), "an't.");
  file["model"] = {{"type", "BPE"}, {"vocab", {{"a", 1}, {".", 2}, {"n't", 3}, {"<unk>", 0}}}, {"merges", json::array()}};
  write("tokenizer.json", file);
  EXPECT_EQ(load()->decode(TokenIds{1, 3, 2}), "a n't .");
}

TEST_F(TokenizerFolder, AFileOfItsOwnIsTheChatTemplate) {
  write("tokenizer_config.json", json{{"chat_template", "old"}});
  EXPECT_EQ(read_tokenizer_config(folder_).chat_template, "old");
  write("chat_template.jinja", std::string("new"));
  EXPECT_EQ(read_tokenizer_config(folder_).chat_template, "new");
}

/// A field of a protocol buffer's message: a text, or a small number.
std::string field(int number, const std::string& text) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(text.size())} + text;
}
std::string field(int number, int value) { return {static_cast<char>(number << 3), static_cast<char>(value)}; }

/// Pieces <unk>, <s>, </s>, then U+2581, a, b, ab and U+2581 with ab.
std::string sentencepiece_model(int type) {
  enum { kNormal = 1, kUnknown = 2, kControl = 3 };
  std::string model;
  const auto add = [&](const std::string& piece, float score, int kind) {
    std::string number(4, '\0');
    std::memcpy(number.data(), &score, 4);
    model += field(1, field(1, piece) + "\x15" + number + field(3, kind));
  };
  add("<unk>", 0, kUnknown);
  add("<s>", 0, kControl);
  add("</s>", 0, kControl);
  float score = -3;
  for (const char* piece : {"\u2581", "a", "b"}) add(piece, score -= 1, kNormal);
  add("ab", -1, kNormal);
  add("\u2581"
      "ab",
      -2, kNormal);
  return model + field(2, field(3, type)) + field(3, field(4, 0));  // a type, and spaces kept as they are
}

constexpr int kUnigramType = 1;
constexpr int kBpeType = 2;

TEST_F(TokenizerFolder, ASentencePieceModelTakesTheConfigsTokens) {
  write("tokenizer.model", sentencepiece_model(kBpeType));
  EXPECT_THAT(encode("ab</s>ab"), ElementsAre(1, 7, 2, 7)) << "alone, with its begin of sequence";
  write("added_tokens.json", json{{"<x>", 8}, {"<y>", 9}});
  EXPECT_THAT(encode("ab<x>ab<y>"), ElementsAre(1, 7, 8, 7, 9));
  EXPECT_EQ(load()->decode(TokenIds{7, 8, 7}), "ab<x> ab");
  EXPECT_EQ(load()->vocabulary_size(), 10U);
  EXPECT_EQ(load()->id_of("<y>"), 9);
  write("tokenizer_config.json", json{{"add_eos_token", true}});
  EXPECT_THAT(encode("ab<unk>ab"), ElementsAre(7, 0, 7, 2)) << "a config adds what it says, and knows the unknown token";
  write("tokenizer_config.json", json{{"add_bos_token", true}, {"bos_token", "<x>"}, {"legacy", false}});
  EXPECT_THAT(encode("ab</s>ab"), ElementsAre(8, 7, 2, 6)) << "only the text begins with a space of its own";
  EXPECT_THAT(encode(" ab"), ElementsAre(8, 7));
  write("added_tokens.json", json{{"<x>", 9}});
  EXPECT_THAT(refusal(), HasSubstr("expected the added token '<x>' under the id 8, found 9"));
  write("tokenizer.model", sentencepiece_model(kUnigramType));
  write("tokenizer_config.json", json{{"unk_token", "<other>"}});
  EXPECT_THAT(refusal(), HasSubstr("expected unk_token to be the unigram model's own, '<unk>', found '<other>'"));
  write("tokenizer_config.json", json{{"tokenizer_class", "T5Tokenizer"}});
  EXPECT_THAT(refusal(), HasSubstr("expected LlamaTokenizer or no class of its own for a SentencePiece model, found 'T5Tokenizer'"));
}

TEST_F(TokenizerFolder, LlamasClassAddsASpaceToTheTextAlone) {
  write("tokenizer.model", sentencepiece_model(kBpeType));
  write("added_tokens.json", json{{"<x>", 8}});
  json config = {{"tokenizer_class", "LlamaTokenizer"}};
  const auto of = [&](const char* key, const json& value, const std::string& text) {
    json changed = config;
    if (*key != '\0') changed[key] = value;
    write("tokenizer_config.json", changed);
    return encode(text);
  };
  EXPECT_THAT(of("", {}, "ab<x>ab</s> ab"), ElementsAre(7, 8, 6, 2, 7));
  EXPECT_THAT(of("legacy", true, "ab<x>ab</s> ab"), ElementsAre(7, 8, 7, 2, 7));
  EXPECT_THAT(of("add_prefix_space", false, "ab<x>ab"), ElementsAre(6, 8, 6));
  EXPECT_THAT(of("add_bos_token", true, "ab"), ElementsAre(1, 7));
  EXPECT_EQ(load()->decode(TokenIds{7, 8, 7}), "ab<x> ab");
  write("tokenizer.model", sentencepiece_model(kUnigramType));
  EXPECT_THAT(refusal(), HasSubstr("expected a BPE model for LlamaTokenizer, found another"));
}

}  // namespace
}  // namespace paretofl
