#include "paretofl/tokenizers/token_decoder.h"

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/text_pattern.h"
#include "paretofl/tokenizers/byte_alphabet.h"
#include "paretofl/tokenizers/byte_tokens.h"
#include "paretofl/tokenizers/metaspace.h"

namespace paretofl {
namespace {

class SequenceDecoder : public TokenDecoder {
 public:
  explicit SequenceDecoder(const JsonObject& json) {
    for (const JsonObject& step : json.objects("decoders")) steps_.push_back(make_token_decoder(step));
  }

  void decode(std::vector<std::string>& tokens) const override {
    for (const auto& step : steps_) step->decode(tokens);
  }

 private:
  std::vector<std::unique_ptr<const TokenDecoder>> steps_;
};

/// A token of GPT-2's alphabet is the bytes it spells, another one (an added token) itself. They become one text.
class ByteLevelDecoder : public TokenDecoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string all;
    for (const std::string& token : tokens) all += from_byte_alphabet(token).value_or(token);
    tokens.clear();
    tokens.push_back(std::move(all));
  }
};

class ByteFallbackDecoder : public TokenDecoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      if (const std::optional<char> byte = byte_of_token(token)) token.assign(1, *byte);
    }
  }
};

class MetaspaceDecoder : public TokenDecoder {
 public:
  explicit MetaspaceDecoder(const JsonObject& json) : space_(json), mark_(space_.mark) {}

  void decode(std::vector<std::string>& tokens) const override {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool dropped = i == 0 && space_.prepend != PrependScheme::kNever;
      tokens[i] = replaced(tokens[i], mark_, dropped ? "" : " ");
    }
  }

 private:
  Metaspace space_;
  TextPattern mark_;
};

class ReplaceDecoder : public TokenDecoder {
 public:
  explicit ReplaceDecoder(const JsonObject& json) : pattern_(json.object("pattern")), content_(json.text("content")) {}

  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) token = replaced(token, pattern_, content_);
  }

 private:
  TextPattern pattern_;
  std::string content_;
};

class FuseDecoder : public TokenDecoder {
 public:
  void decode(std::vector<std::string>& tokens) const override {
    std::string all;
    for (const std::string& token : tokens) all += token;
    tokens.clear();
    tokens.push_back(std::move(all));
  }
};

/// Up to `start` and `stop` times one character at the ends of each token.
class StripDecoder : public TokenDecoder {
 public:
  explicit StripDecoder(const JsonObject& json)
      : content_(json.text("content")), start_(json.integer("start", 0, kMost)), stop_(json.integer("stop", 0, kMost)) {
    expect(!content_.empty() && first_size(content_) == content_.size(), "{}: content: expected one character, found '{}'", json.where(),
           shown(content_));
  }

  void decode(std::vector<std::string>& tokens) const override {
    for (std::string& token : tokens) {
      std::string_view rest = token;
      for (std::int64_t i = 0; i < start_ && rest.starts_with(content_); ++i) rest.remove_prefix(content_.size());
      for (std::int64_t i = 0; i < stop_ && rest.ends_with(content_); ++i) rest.remove_suffix(content_.size());
      token = std::string(rest);
    }
  }

 private:
  static constexpr std::int64_t kMost = 1 << 30;

  std::string content_;
  std::int64_t start_, stop_;
};

}  // namespace

std::unique_ptr<const TokenDecoder> make_token_decoder(const JsonObject& json) {
  const std::string type = json.text("type");
  if (type == "Sequence") return std::make_unique<SequenceDecoder>(json);
  if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
  if (type == "ByteFallback") return std::make_unique<ByteFallbackDecoder>();
  if (type == "Metaspace") return std::make_unique<MetaspaceDecoder>(json);
  if (type == "Replace") return std::make_unique<ReplaceDecoder>(json);
  if (type == "Fuse") return std::make_unique<FuseDecoder>();
  if (type == "Strip") return std::make_unique<StripDecoder>(json);
  throw Error(fmt::format("{}: expected a decoder Sequence, ByteLevel, ByteFallback, Metaspace, Replace, Fuse or Strip, found '{}'",
                          json.where(), shown(type)));
}

}  // namespace paretofl
