#include "paretofl/text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/text/utf8.h"

namespace paretofl {
namespace {

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

/// PCRE2's own \s counts U+180E too.
std::string with_unicode_spaces(const std::string& pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool escape = pattern[i] == '\\' && i + 1 < pattern.size();
    if (escape && (pattern[i + 1] == 's' || pattern[i + 1] == 'S')) {
      result += pattern[i + 1] == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
    } else {
      result += pattern.substr(i, escape ? 2 : 1);
    }
    i += escape ? 1 : 0;
  }
  return result;
}

}  // namespace

Regex::Regex(const std::string& pattern, std::string where) : where_(std::move(where)) {
  const std::string translated = with_unicode_spaces(pattern);
  int code = 0;
  std::size_t offset = 0;
  pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                                       PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, nullptr);
  expect(compiled != nullptr, "{}: expected a regular expression, found '{}': {}", where_, shown(pattern), message_of(code));
  code_ = std::shared_ptr<void>(compiled, [](void* owned) { pcre2_code_free(static_cast<pcre2_code*>(owned)); });
  pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);  // where it cannot, matching is slower and the same
}

std::vector<TextRange> Regex::matches(std::string_view text) const {
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(pcre2_match_data_create(1, nullptr),
                                                                                 &pcre2_match_data_free);
  const PCRE2_SIZE* found = pcre2_get_ovector_pointer(data.get());
  std::vector<TextRange> result;
  for (std::size_t at = 0; at <= text.size();) {
    const int count = pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at, 0, data.get(), nullptr);
    if (count == PCRE2_ERROR_NOMATCH) break;
    expect(count >= 0, "{}: expected a regular expression that fits the text, found: {}", where_, message_of(count));
    const TextRange range{found[0], found[1]};
    expect(range.begin <= range.end, "{}: expected a match that ends behind its start, found one that does not", where_);
    if (range.begin == range.end && !result.empty() && result.back().end == range.end) {
      at = range.end + first_size(text.substr(range.end));
    } else {
      result.push_back(range);
      at = range.end;
    }
  }
  return result;
}

}  // namespace paretofl
