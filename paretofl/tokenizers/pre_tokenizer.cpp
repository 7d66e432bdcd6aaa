#include "paretofl/tokenizers/pre_tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/text_pattern.h"
#include "paretofl/tokenizers/byte_alphabet.h"
#include "paretofl/tokenizers/metaspace.h"
#include "paretofl/tokenizers/split.h"

namespace paretofl {
namespace {

// Where the beginning of the text is in none of the ranges, an empty word comes first, which has its place.
void append(std::string_view text, const std::vector<TextRange>& ranges, std::vector<std::string>& words) {
  bool first = true;
  for (const TextRange& range : ranges) {
    if (range.begin == range.end) continue;
    if (first && range.begin > 0) words.emplace_back();
    first = false;
    words.emplace_back(range.of(text));
  }
}

class PreTokenizerSequence : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(const JsonObject& json) {
    for (const JsonObject& step : json.objects("pretokenizers")) steps_.push_back(make_pre_tokenizer(step));
  }

  void cut(std::string_view piece, bool at_start, std::vector<std::string>& words) const override {
    std::vector<std::string> pieces{std::string(piece)};
    for (const auto& step : steps_) {
      std::vector<std::string> next;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!pieces[i].empty()) {
          step->cut(pieces[i], at_start && i == 0, next);
        } else if (i == 0) {
          next.emplace_back();
        }
      }
      pieces = std::move(next);
    }
    for (std::string& word : pieces) words.push_back(std::move(word));
  }

  bool heeds_start() const override {
    return std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->heeds_start(); });
  }

 private:
  std::vector<std::unique_ptr<const PreTokenizer>> steps_;
};

/// GPT-2's words, in its alphabet of bytes.
class ByteLevel : public PreTokenizer {
 public:
  explicit ByteLevel(const JsonObject& json) : space_(json.flag("add_prefix_space", true)) {
    constexpr const char* kWords = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    if (json.flag("use_regex", true)) words_.emplace(kWords, json.where());
  }

  void cut(std::string_view piece, bool /*at_start*/, std::vector<std::string>& words) const override {
    const std::string text = space_ && !piece.starts_with(' ') ? " " + std::string(piece) : std::string(piece);
    if (!words_) {
      words.push_back(to_byte_alphabet(text));
      return;
    }
    for (const TextRange& word : split_at(text, words_->matches(text), SplitBehavior::kIsolated)) {
      words.push_back(to_byte_alphabet(word.of(text)));
    }
  }

 private:
  bool space_;
  std::optional<Regex> words_;
};

class Split : public PreTokenizer {
 public:
  explicit Split(const JsonObject& json)
      : pattern_(json.object("pattern")),
        behavior_(parse_split_behavior(json.text("behavior"), json.where())),
        invert_(json.flag("invert", false)) {}

  void cut(std::string_view piece, bool /*at_start*/, std::vector<std::string>& words) const override {
    append(piece, split_at(piece, pattern_.matches(piece), behavior_, invert_), words);
  }

 private:
  TextPattern pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

class MetaspaceWords : public PreTokenizer {
 public:
  explicit MetaspaceWords(const JsonObject& json) : space_(json), mark_(space_.mark) {}

  void cut(std::string_view piece, bool at_start, std::vector<std::string>& words) const override {
    std::string text = replaced(piece, TextPattern(" "), space_.mark);
    const bool wanted = space_.prepend == PrependScheme::kAlways || (space_.prepend == PrependScheme::kFirst && at_start);
    if (wanted && !text.starts_with(space_.mark)) text = space_.mark + text;
    if (space_.split) {
      append(text, split_at(text, mark_.matches(text), SplitBehavior::kMergedWithNext), words);
    } else {
      words.push_back(std::move(text));
    }
  }

  bool heeds_start() const override { return space_.prepend == PrependScheme::kFirst; }

 private:
  Metaspace space_;
  TextPattern mark_;
};

/// Splits at characters of a kind.
class CharacterSplit : public PreTokenizer {
 public:
  using Kind = bool (*)(UChar32 code);

  CharacterSplit(Kind kind, SplitBehavior behavior) : kind_(kind), behavior_(behavior) {}

  void cut(std::string_view piece, bool /*at_start*/, std::vector<std::string>& words) const override {
    std::vector<TextRange> matches;
    for (std::size_t at = 0; at < piece.size();) {
      const std::size_t size = first_size(piece.substr(at));
      const bool valid = utf8_size(piece.substr(at)) != 0;
      if (valid && kind_(static_cast<UChar32>(code_point(piece.substr(at, size))))) matches.push_back({at, at + size});
      at += size;
    }
    append(piece, split_at(piece, matches, behavior_), words);
  }

 private:
  Kind kind_;
  SplitBehavior behavior_;
};

bool is_number(UChar32 code) { return (U_GET_GC_MASK(code) & U_GC_N_MASK) != 0; }
bool is_punctuation(UChar32 code) {
  const bool ascii_symbol = code < 0x80 && std::string_view("$+<=>^`|~").find(static_cast<char>(code)) != std::string_view::npos;
  return ascii_symbol || (U_GET_GC_MASK(code) & U_GC_P_MASK) != 0;
}

}  // namespace

std::unique_ptr<const PreTokenizer> make_pre_tokenizer(const JsonObject& json) {
  const std::string type = json.text("type");
  if (type == "Sequence") return std::make_unique<PreTokenizerSequence>(json);
  if (type == "ByteLevel") return std::make_unique<ByteLevel>(json);
  if (type == "Split") return std::make_unique<Split>(json);
  if (type == "Metaspace") return std::make_unique<MetaspaceWords>(json);
  if (type == "Digits") {
    const bool individual = json.flag("individual_digits", false);
    return std::make_unique<CharacterSplit>(is_number, individual ? SplitBehavior::kIsolated : SplitBehavior::kContiguous);
  }
  if (type == "Punctuation") {
    return std::make_unique<CharacterSplit>(is_punctuation, parse_split_behavior(json.text("behavior", "Isolated"), json.where()));
  }
  throw Error(fmt::format("{}: expected a pre-tokenizer Sequence, ByteLevel, Split, Metaspace, Digits or Punctuation, found '{}'",
                          json.where(), shown(type)));
}

}  // namespace paretofl
