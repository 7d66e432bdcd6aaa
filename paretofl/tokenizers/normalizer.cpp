#include "paretofl/tokenizers/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/text_pattern.h"
#include "paretofl/tokenizers/precompiled_charsmap.h"

namespace paretofl {
namespace {

/// One of Unicode's four normalization forms.
class UnicodeForm : public Normalizer {
 public:
  UnicodeForm(const char* name, UNormalization2Mode mode) {
    UErrorCode status = U_ZERO_ERROR;
    form_ = icu::Normalizer2::getInstance(nullptr, name, mode, status);
    expect(U_SUCCESS(status), "normalizer: expected ICU's data of {}, found {}", name, u_errorName(status));
  }

  std::string normalize(std::string_view text) const override {
    return map_utf8(text, [&](std::string_view part) {
      std::string result;
      icu::StringByteSink<std::string> sink(&result);
      UErrorCode status = U_ZERO_ERROR;
      form_->normalizeUTF8(0, {part.data(), static_cast<std::int32_t>(part.size())}, sink, nullptr, status);
      expect(U_SUCCESS(status), "normalizer: expected a text that can be normalized, found {}", u_errorName(status));
      return result;
    });
  }

 private:
  const icu::Normalizer2* form_ = nullptr;  // ICU's own
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(const JsonObject& json) {
    for (const JsonObject& step : json.objects("normalizers")) steps_.push_back(make_normalizer(step));
  }

  std::string normalize(std::string_view text) const override {
    std::string result(text);
    for (const auto& step : steps_) result = step->normalize(result);
    return result;
  }

  bool keeps_start(std::string_view text) const override {
    std::string result(text);
    for (const auto& step : steps_) {
      if (!step->keeps_start(result)) return false;
      result = step->normalize(result);
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<const Normalizer>> steps_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(const JsonObject& json) : prefix_(json.text("prepend")) {}
  std::string normalize(std::string_view text) const override { return text.empty() ? "" : prefix_ + std::string(text); }

 private:
  std::string prefix_;
};

class Replace : public Normalizer {
 public:
  explicit Replace(const JsonObject& json) : pattern_(json.object("pattern")), content_(json.text("content")) {}
  std::string normalize(std::string_view text) const override { return replaced(text, pattern_, content_); }

  // What replaces several characters stands in the last one's place.
  bool keeps_start(std::string_view text) const override {
    const std::vector<TextRange> matches = pattern_.matches(text);
    if (matches.empty() || matches.front().begin > 0 || matches.front().end == 0) return true;
    return !content_.empty() && matches.front().end == first_size(text);
  }

 private:
  TextPattern pattern_;
  std::string content_;
};

/// White space at the ends.
class Strip : public Normalizer {
 public:
  explicit Strip(const JsonObject& json) : left_(json.flag("strip_left", true)), right_(json.flag("strip_right", true)) {}

  std::string normalize(std::string_view text) const override {
    while (left_ && !text.empty() && is_space(text.substr(0, first_size(text)))) text.remove_prefix(first_size(text));
    while (right_ && !text.empty() && is_space(text.substr(text.size() - last_size(text)))) text.remove_suffix(last_size(text));
    return std::string(text);
  }

  bool keeps_start(std::string_view text) const override { return !left_ || text.empty() || !is_space(text.substr(0, first_size(text))); }

 private:
  static bool is_space(std::string_view character) {
    return utf8_size(character) != 0 && u_isUWhiteSpace(static_cast<UChar32>(code_point(character)));
  }

  bool left_, right_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_normalizer(const JsonObject& json) {
  const std::string type = json.text("type");
  if (type == "Sequence") return std::make_unique<Sequence>(json);
  if (type == "NFC") return std::make_unique<UnicodeForm>("nfc", UNORM2_COMPOSE);
  if (type == "NFD") return std::make_unique<UnicodeForm>("nfc", UNORM2_DECOMPOSE);
  if (type == "NFKC") return std::make_unique<UnicodeForm>("nfkc", UNORM2_COMPOSE);
  if (type == "NFKD") return std::make_unique<UnicodeForm>("nfkc", UNORM2_DECOMPOSE);
  if (type == "Prepend") return std::make_unique<Prepend>(json);
  if (type == "Replace") return std::make_unique<Replace>(json);
  if (type == "Strip") return std::make_unique<Strip>(json);
  if (type == "Precompiled") return std::make_unique<PrecompiledCharsmap>(json);
  throw Error(fmt::format("{}: expected a normalizer Sequence, NFC, NFD, NFKC, NFKD, Prepend, Replace, Strip or Precompiled, found '{}'",
                          json.where(), shown(type)));
}

}  // namespace paretofl
