#include "paretofl/tokenizers/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/byte_alphabet.h"
#include "paretofl/tokenizers/unigram.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::unique_ptr<const Tokenizer> parse(const json& file, const TokenizerConfig& config = {}) {
  return parse_tokenizer_json(file, "f", config);
}

/// Byte-level, every byte a token, then "ab", "abc" and " ab", whose merges are learned in this order.
json byte_level() {
  json vocab;
  for (int byte = 0; byte < 256; ++byte) vocab[to_byte_alphabet(std::string(1, static_cast<char>(byte)))] = byte;
  const std::string space = to_byte_alphabet(" ");
  vocab["ab"] = 256;
  vocab["abc"] = 257;
  vocab[space + "ab"] = 258;
  return {{"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"a b", json::array({"ab", "c"}), space + " ab"}}}},
          {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"decoder", {{"type", "ByteLevel"}}}};
}

/// Characters with byte fallback, as Llama 2's.
json fallback() {
  json vocab = {{"<unk>", 0}, {"\u2581", 257}, {"a", 258}, {"\u2581a", 259}};
  for (int byte = 0; byte < 256; ++byte) vocab[fmt::format("<0x{:02X}>", byte)] = byte + 1;
  return {
      {"model",
       {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"\u2581 a"}}, {"unk_token", "<unk>"}, {"fuse_unk", true}, {"byte_fallback", true}}},
      {"normalizer",
       {{"type", "Sequence"},
        {"normalizers",
         {{{"type", "Prepend"}, {"prepend", "\u2581"}}, {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}}},
      {"decoder",
       {{"type", "Sequence"},
        {"decoders",
         {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
          {{"type", "ByteFallback"}},
          {{"type", "Fuse"}},
          {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}}};
}

json unigram() {
  return json::parse(R"({"model": {"type": "Unigram", "unk_id": 0,
                         "vocab": [["<unk>", 0], ["a", -1], ["b", -2], ["ab", -2.5], ["aa", -2.5]]}})");
}

TEST(TokenizerJson, MergesInTheOrderLearned) {
  const auto tokenizer = parse(byte_level());
  EXPECT_THAT(tokenizer->encode("abc ab"), ElementsAre(257, 258));
  EXPECT_THAT(tokenizer->encode("aab"), ElementsAre('a', 256));
  EXPECT_EQ(tokenizer->decode(TokenIds{257, 258}), "abc ab");
  EXPECT_EQ(tokenizer->vocabulary_size(), 259U);
  EXPECT_EQ(tokenizer->id_of("abc"), 257);
  EXPECT_EQ(tokenizer->id_of("x y"), std::nullopt);
}

TEST(TokenizerJson, IgnoresMergesOfWholeTokensWhereTold) {
  json file = byte_level();
  file["model"]["merges"] = json::array();
  EXPECT_THAT(parse(file)->encode("abc"), ElementsAre('a', 'b', 'c'));
  file["model"]["ignore_merges"] = true;
  EXPECT_THAT(parse(file)->encode("abc"), ElementsAre(257));
  EXPECT_THAT(parse(file)->encode("abca"), ElementsAre('a', 'b', 'c', 'a'));
}

TEST(TokenizerJson, ComesBackFromAnyBytes) {
  const auto bytes = parse(byte_level());
  const auto characters = parse(fallback());
  std::mt19937 random(1);  // NOLINT: a test's
  for (int i = 0; i < 300; ++i) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = random() % 3 == 0 ? "a b\xc3\xa9"[random() % 5] : static_cast<char>(random());
    EXPECT_EQ(bytes->decode(bytes->encode(text)), text);
    EXPECT_EQ(characters->decode(characters->encode(text)), text);
  }
}

TEST(TokenizerJson, SpellsUnknownCharactersInBytes) {
  EXPECT_THAT(parse(fallback())->encode("a \u00e9"), ElementsAre(259, 257, 0xc3 + 1, 0xa9 + 1));
  json file = fallback();
  file["model"]["byte_fallback"] = false;
  EXPECT_THAT(parse(file)->encode("xya"), ElementsAre(257, 0, 258));
  file["model"]["fuse_unk"] = false;
  EXPECT_THAT(parse(file)->encode("xya"), ElementsAre(257, 0, 0, 258));
  file["model"].erase("unk_token");
  EXPECT_THAT([&] { parse(file)->encode("xya"); }, ThrowsMessage<Error>("encode: expected characters of the vocabulary, found 'x'"));
}

TEST(TokenizerJson, FindsTheBestUnigrams) {
  const auto tokenizer = parse(unigram());
  EXPECT_THAT(tokenizer->encode("aab"), ElementsAre(1, 3));  // -3.5, against -4 and -4.5
  EXPECT_THAT(tokenizer->encode("aaa"), ElementsAre(1, 1, 1));
  EXPECT_THAT(tokenizer->encode("axyb"), ElementsAre(1, 0, 2));
}

TEST(Unigrams, AreOfEqualScoresWhereFloatsAre) {
  auto vocabulary = std::make_unique<Vocabulary>();
  const std::vector<std::string> pieces = {"<unk>", "z", "zz"};
  for (std::size_t id = 0; id < pieces.size(); ++id) vocabulary->add(pieces[id], static_cast<std::int64_t>(id), "f");
  const Unigram unigram(
      std::move(vocabulary),
      {.scores = {std::nullopt, -11.31137466430664, -10.8130521774292}, .unknown = 0, .unknown_score = -30, .single_precision = true});
  TokenIds ids;
  unigram.encode("zzz", ids);
  EXPECT_THAT(ids, ElementsAre(1, 2)) << "as SentencePiece 0.2.3 has it: in double precision the sum of the other order is larger";
}

TEST(TokenizerJson, AConfigsPrefixSpaceMayNotContradictTheFile) {
  TokenizerConfig config;
  config.add_prefix_space = true;
  const auto file = byte_level();
  for (const char* general : {"", "PreTrainedTokenizer", "LlamaTokenizer"}) {
    config.tokenizer_class = general;
    EXPECT_NO_THROW(parse(file, config)) << general;
  }
  config.tokenizer_class = "GPT2Tokenizer";
  EXPECT_THAT([&] { parse(file, config); },
              ThrowsMessage<Error>("f: pre_tokenizer: expected add_prefix_space true, as tokenizer_config.json says for GPT2Tokenizer, "
                                   "found false"));
  config.add_prefix_space = false;
  EXPECT_NO_THROW(parse(file, config));
}

TEST(TokenizerJson, RecognizesAddedTokens) {
  json file = byte_level();
  file.update(json::parse(R"({
    "added_tokens": [{"id": 259, "content": "<s>", "special": true},
                     {"id": 260, "content": "<s>x", "special": true, "rstrip": true},
                     {"id": 257, "content": "abc", "single_word": true, "lstrip": true}],
    "post_processor": {"type": "TemplateProcessing",
                       "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                       "special_tokens": {"<s>": {"id": "<s>", "ids": [259], "tokens": ["<s>"]}}}})"));
  const auto tokenizer = parse(file);
  EXPECT_THAT(tokenizer->encode("a<s>x \tb<s>"), ElementsAre('a', 260, 'b', 259)) << "the longest, with the space behind";
  EXPECT_THAT(tokenizer->encode("a  abc"), ElementsAre('a', 257)) << "with the space before";
  EXPECT_THAT(tokenizer->encode("abca"), ElementsAre(257, 'a')) << "not within a word: by merges";
  EXPECT_THAT(tokenizer->encode("a", true), ElementsAre(259, 'a'));
  EXPECT_EQ(tokenizer->decode(TokenIds{259, 'a', 260}), "<s>a<s>x");
  EXPECT_EQ(tokenizer->decode(TokenIds{259, 'a', 260}, true), "a");
  EXPECT_EQ(tokenizer->beginning_of_sequence(), 259);
  TokenizerConfig end_is_x;
  end_is_x.end_of_sequence = "<s>x";
  EXPECT_EQ(tokenizer->end_of_sequence(), std::nullopt);
  EXPECT_EQ(parse(file, end_is_x)->end_of_sequence(), 260);
  EXPECT_EQ(tokenizer->vocabulary_size(), 261U);
}

/// What stands around a pair under a post-processor.
std::vector<TokenIds> around_pair(const char* post_processor) {
  json file = byte_level();
  file["post_processor"] = json::parse(post_processor);
  const PairIds around = parse(file)->around_pair();
  return {around.before, around.between, around.after};
}

TEST(TokenizerJson, SaysWhatStandsAroundAPair) {
  EXPECT_THAT(around_pair(R"({"type": "BertProcessing", "cls": ["a", 97], "sep": ["b", 98]})"),
              ElementsAre(ElementsAre('a'), ElementsAre('b'), ElementsAre('b')));
  EXPECT_THAT(around_pair(R"({"type": "RobertaProcessing", "cls": ["a", 97], "sep": ["b", 98]})"),
              ElementsAre(ElementsAre('a'), ElementsAre('b', 'b'), ElementsAre('b')));
  EXPECT_THAT(around_pair(R"({"type": "ByteLevel"})"), ElementsAre(ElementsAre(), ElementsAre(), ElementsAre()));
  EXPECT_THAT(parse(byte_level())->around_pair().between, ElementsAre());
  const std::string pair = R"("type": "TemplateProcessing", "single": [{"Sequence": {"id": "A"}}],
      "special_tokens": {"x": {"ids": [120, 121]}, "z": {"ids": [122]}}, "pair": [{"SpecialToken": {"id": "z"}}, {"Sequence": {"id": "A"}},
      {"SpecialToken": {"id": "x"}}, {"Sequence": {"id": "B"}})";
  const auto expected = ElementsAre(ElementsAre('z'), ElementsAre('x', 'y'), ElementsAre());
  EXPECT_THAT(around_pair(("{" + pair + "]}").c_str()), expected);
  EXPECT_THAT(around_pair((R"({"type": "Sequence", "processors": [{"type": "ByteLevel"}, {)" + pair + "]}]}").c_str()), expected);
  EXPECT_THAT([&] { around_pair(("{" + pair + R"(, {"Sequence": {"id": "A"}}]})").c_str()); },
              ThrowsMessage<Error>(HasSubstr("expected a vocabulary that says how two texts are a pair")));
}

TEST(TokenizerJson, NormalizedAddedTokensAreDecodedToTheirNormalForm) {
  json file = byte_level();
  file["normalizer"] = {{"type", "NFD"}};
  file["added_tokens"] = {{{"id", 259}, {"content", "\u00e9t\u00e9"}, {"normalized", true}},
                          {{"id", 260}, {"content", "\u00e8t\u00e8"}, {"normalized", false}}};
  const auto tokenizer = parse(file);
  EXPECT_THAT(tokenizer->encode("\u00e9t\u00e9a\u00e8t\u00e8"), ElementsAre(259, 'a', 260));
  EXPECT_EQ(tokenizer->decode(TokenIds{259}), "e\u0301te\u0301");
  EXPECT_EQ(tokenizer->decode(TokenIds{260}), from_byte_alphabet("\u00e8t\u00e8"));
}

TEST(TokenizerJson, TakesLongLinesInTime) {
  const auto tokenizer = parse(byte_level());
  EXPECT_EQ(tokenizer->encode(std::string(300000, 'a')).size(), 300000U);
  EXPECT_EQ(parse(unigram())->encode(std::string(300000, 'b')).size(), 300000U);
}

TEST(TokenizerJson, SaysWhatIsWrong) {
  const auto wrong = [](const json& base, const std::string& patch, const std::string& message) {
    json file = base;
    file.merge_patch(json::parse(patch));
    EXPECT_THAT([&] { parse(file); }, ThrowsMessage<Error>(HasSubstr(message))) << patch;
  };
  wrong(byte_level(), R"({"model": null})", "f: expected a field 'model', found none");
  wrong(byte_level(), R"({"model": {"type": "WordPiece"}})", "f: model: expected a model BPE or Unigram, found 'WordPiece'");
  wrong(byte_level(), R"({"model": {"vocab": {"a": -1}}})", "expected ids from 0 to 16777215, found -1 of 'a'");
  wrong(byte_level(), R"({"model": {"vocab": {"zz": 97}}})", "expected every id once, found 97 again");
  wrong(byte_level(), R"({"model": {"merges": ["a  b"]}})", "f: model: merges[0]: expected two tokens with a space between, found 'a  b'");
  wrong(byte_level(), R"({"model": {"merges": ["b a"]}})", "f: model: merge 1: expected a token of the vocabulary, found 'ba'");
  wrong(byte_level(), R"({"model": {"dropout": 0.1}})", "dropout: expected none");
  wrong(byte_level(), R"({"normalizer": {"type": "Lowercase"}})", "expected a normalizer");
  wrong(byte_level(), R"({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated"}})",
        "f: pre_tokenizer: pattern: expected a regular expression, found '('");
  wrong(byte_level(), R"({"pre_tokenizer": {"type": "Split", "pattern": {"String": "x"}, "behavior": "Gone"}})", "found 'Gone'");
  wrong(byte_level(), R"({"decoder": {"type": "WordPiece"}})", "f: decoder: expected a decoder");
  wrong(byte_level(), R"({"post_processor": {"type": "TemplateProcessing", "single": []}})", "expected one Sequence, found 0");
  wrong(byte_level(), R"({"added_tokens": [{"id": 5, "content": "ab"}]})", "f: expected the added token 'ab' under the id 256, found 5");
  wrong(byte_level(), R"({"added_tokens": [{"id": 259, "content": "<s>"}, {"id": 261, "content": "<x>"}]})",
        "f: expected the added token '<x>' under the id 260, found 261");
  wrong(byte_level(), R"({"added_tokens": [{"id": 259, "content": "<s>"}, {"id": 260, "content": "<s>"}]})",
        "f: expected every added token once, found '<s>' again");
  wrong(byte_level(), R"({"normalizer": {"type": "Strip"}, "added_tokens": [{"id": 259, "content": "  ", "normalized": true}]})",
        "f: expected normalized added tokens of which the normalizer leaves a part, found '  ' under the id 259");
  wrong(byte_level(), R"({"added_tokens": [{"id": 259, "content": ""}]})", "f: expected added tokens with a content, found 259 without");
  wrong(byte_level(), R"({"model": {"vocab": {"zz": 300}}, "added_tokens": [{"id": 259, "content": "<s>"}]})",
        "f: expected a vocabulary without gaps between its ids, as the token '<s>' comes behind them, found some");
  wrong(byte_level(), R"({"version": "2.0"})", "f: expected the version 1.0, found '2.0'");
  wrong(byte_level(), R"({"padding": {"strategy": {"Fixed": 8}}})", "f: padding: expected the strategy BatchLongest");
  wrong(byte_level(), R"({"padding": {"strategy": "BatchLongest", "pad_to_multiple_of": 4}})",
        "f: padding: expected the strategy BatchLongest");
  wrong(unigram(), R"({"model": {"vocab": [["a", "b"]]}})", "f: model: vocab[0]: expected a token and its score, found another list");
  wrong(unigram(), R"({"model": {"unk_id": 5}})", "unk_id: expected an integer from 0 to 4, found 5");
  TokenizerConfig config;
  config.beginning_of_sequence = "<bos>";
  EXPECT_THAT([&] { parse(byte_level(), config); },
              ThrowsMessage<Error>("f: expected the special token '<bos>' of tokenizer_config.json, found none"));
  EXPECT_THAT([] { parse(byte_level())->decode(TokenIds{259}); },
              ThrowsMessage<Error>("decode: expected ids of the vocabulary, below 259, found 259"));
}

// Ids as the reference library gives them.
TEST(TokenizerJson, FindsTokensInWhiteSpaceThatAnotherTookAlong) {
  json file = unigram();
  file["model"]["vocab"].push_back({" ", -3});
  file["added_tokens"] = {{{"id", 6}, {"content", "<x>"}, {"rstrip", true}}, {{"id", 7}, {"content", "  "}}};
  const auto tokenizer = parse(file);
  EXPECT_THAT(tokenizer->encode("<x>  a"), ElementsAre(6, 7, 1));
  EXPECT_THAT(tokenizer->encode("<x>   a"), ElementsAre(6, 7, 5, 1));  // the third space is text again
  EXPECT_THAT(tokenizer->encode("<x> a"), ElementsAre(6, 1));
}

TEST(TokenizerJson, TakesTheFirstOfTokensThatAreSpelledAlike) {
  json file = unigram();
  file["normalizer"] = {{"type", "Replace"}, {"pattern", {{"String", "!"}}}, {"content", "b"}};
  file["added_tokens"] = {{{"id", 5}, {"content", "aba"}, {"normalized", true}}, {{"id", 6}, {"content", "a!a"}, {"normalized", true}}};
  EXPECT_THAT(parse(file)->encode("aba"), ElementsAre(5));
}

TEST(TokenizerJson, MarksTheStartWhereTheFirstCharacterStays) {
  json file = unigram();
  file["model"]["vocab"].push_back({"_", -3});  // 5
  const json first = {{"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", "first"}, {"split", false}};
  file["pre_tokenizer"] = first;
  EXPECT_THAT(parse(file)->encode("ab"), ElementsAre(5, 3));
  file["normalizer"] = {{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}};
  EXPECT_THAT(parse(file)->encode("ab "), ElementsAre(5, 3));
  EXPECT_THAT(parse(file)->encode(" ab"), ElementsAre(3));
  file["normalizer"] = {{"type", "Sequence"},
                        {"normalizers", {{{"type", "NFC"}}, {{"type", "Replace"}, {"pattern", {{"Regex", "b+"}}}, {"content", "a"}}}}};
  EXPECT_THAT(parse(file)->encode("ba"), ElementsAre(5, 1, 1));
  EXPECT_THAT(parse(file)->encode("bba"), ElementsAre(1, 1));
  EXPECT_THAT(parse(file)->encode("abb"), ElementsAre(5, 1, 1));
  file["normalizer"] = nullptr;
  const auto split = [&](const char* behavior) {
    return json{{"type", "Sequence"},
                {"pretokenizers", {{{"type", "Split"}, {"pattern", {{"String", "b"}}}, {"behavior", behavior}}, first}}};
  };
  file["pre_tokenizer"] = split("Removed");
  EXPECT_THAT(parse(file)->encode("ba"), ElementsAre(1));
  EXPECT_THAT(parse(file)->encode("ab"), ElementsAre(5, 1));
  file["pre_tokenizer"]["pretokenizers"].insert(file["pre_tokenizer"]["pretokenizers"].begin() + 1,
                                                json{{"type", "Digits"}, {"individual_digits", true}});
  EXPECT_THAT(parse(file)->encode("ba"), ElementsAre(1));
  file["pre_tokenizer"] = split("Isolated");
  EXPECT_THAT(parse(file)->encode("ba"), ElementsAre(5, 2, 1));
}

TEST(TokenizerJson, DecodesWhatStandsBehindByteLevelAsOneText) {
  json file = byte_level();
  file["decoder"] = {{"type", "Sequence"},
                     {"decoders", {{{"type", "ByteLevel"}}, {{"type", "Replace"}, {"pattern", {{"String", "ax"}}}, {"content", "y"}}}}};
  EXPECT_EQ(parse(file)->decode(TokenIds{'a', 'x', 'b'}), "yb");
}

TEST(TokenizerJson, SurroundsNoPartsOfATemplate) {
  json file = unigram();
  const json around = json::parse(R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "b"}}, {"Sequence": {"id": "A"}}],
                                      "special_tokens": {"b": {"id": "b", "ids": [2]}}})");
  const json bert = json::parse(R"({"type": "BertProcessing", "cls": ["a", 1], "sep": ["b", 2]})");
  const auto in_order = [&](const json& one, const json& other) {
    file["post_processor"] = {{"type", "Sequence"}, {"processors", {one, other}}};
    return parse(file);
  };
  EXPECT_THAT(in_order(bert, around)->encode("aa", true), ElementsAre(2, 1, 1, 1, 2));
  EXPECT_THAT(in_order(around, {{"type", "ByteLevel"}})->encode("aa", true), ElementsAre(2, 1, 1));
  EXPECT_THAT([&] { in_order(around, bert); }, ThrowsMessage<Error>(HasSubstr("behind a template with special tokens")));
  EXPECT_THAT(
      [&] {
        in_order({{"type", "Sequence"}, {"processors", {around}}}, bert);
      },
      ThrowsMessage<Error>(HasSubstr("behind a template with special tokens")));
}

}  // namespace
}  // namespace paretofl
