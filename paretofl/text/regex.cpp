#include "paretofl/text/regex.h"

#include <oniguruma.h>

#include <array>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr unsigned long kMaxSteps = 10'000'000;  // of one search; backtracking takes them
constexpr unsigned kMaxStack = 1'000'000;        // entries of one match

std::string message_of(int code, OnigErrorInfo* details) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int size = details == nullptr ? onig_error_code_to_str(buffer.data(), code) : onig_error_code_to_str(buffer.data(), code, details);
  return {reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(size)};
}

const OnigUChar* bytes_of(std::string_view text) { return reinterpret_cast<const OnigUChar*>(text.data()); }

struct Limits {
  Limits() : of_match(onig_new_match_param()) {
    expect(of_match != nullptr, "regular expression: expected memory for a search, found none");
    onig_initialize_match_param(of_match);
    onig_set_match_stack_limit_size_of_match_param(of_match, kMaxStack);
    onig_set_retry_limit_in_match_of_match_param(of_match, kMaxSteps);
    onig_set_retry_limit_in_search_of_match_param(of_match, kMaxSteps);
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;
  ~Limits() { onig_free_match_param(of_match); }

  OnigMatchParam* of_match;
};

/// Version 6.9.9 added $+<=>^`|~ to the class punct, and newer tokenizers count on it.
bool names_punct(const std::string& pattern) {
  std::string plain;
  for (const char c : pattern) {
    if (c != ' ' && c != '_' && c != '-' && c != '^') plain += c;
  }
  plain = lower_case(plain);
  return plain.find("[:punct:]") != std::string::npos || plain.find("p{punct}") != std::string::npos;
}

/// Up to version 6.9.8 a loop before \R does not give back the line break that \R needs.
bool names_line_break(const std::string& pattern) {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '\\') continue;
    if (pattern[++i] == 'R') return true;
  }
  return false;
}

}  // namespace

Regex::Regex(const std::string& pattern, std::string where) : where_(std::move(where)) {
  static const int kReady = [] {
    std::array<OnigEncoding, 1> encodings{ONIG_ENCODING_UTF8};
    return onig_initialize(encodings.data(), static_cast<int>(encodings.size()));
  }();
  expect(kReady == ONIG_NORMAL, "{}: expected Oniguruma to start, found: {}", where_, message_of(kReady, nullptr));
  expect(is_utf8(pattern), "{}: expected a regular expression in UTF-8, found '{}'", where_, shown(pattern));
  expect(ONIGURUMA_VERSION_INT >= 60909 || !names_punct(pattern),
         "{}: expected a regular expression without the class punct, whose characters depend on Oniguruma's version (here {}), found '{}'",
         where_, onig_version(), shown(pattern));
  expect(ONIGURUMA_VERSION_INT >= 60909 || !names_line_break(pattern),
         "{}: expected a regular expression without \\R, which Oniguruma {} does not find behind a loop, found '{}'", where_,
         onig_version(), shown(pattern));
  regex_t* compiled = nullptr;
  OnigErrorInfo details{};
  const OnigUChar* begin = bytes_of(pattern);
  const int code = onig_new(&compiled, begin, begin + pattern.size(), ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &details);
  expect(code == ONIG_NORMAL, "{}: expected a regular expression, found '{}': {}", where_, shown(pattern), message_of(code, &details));
  code_ = std::shared_ptr<void>(compiled, [](void* owned) { onig_free(static_cast<regex_t*>(owned)); });
}

std::vector<TextRange> Regex::matches(std::string_view text) const {
  std::vector<TextRange> result;
  for (std::size_t at = 0;;) {
    const std::size_t size = valid_prefix(text.substr(at));
    append_matches(text.substr(at, size), at, result);
    at += size;
    if (at == text.size()) return result;
    ++at;
  }
}

void Regex::append_matches(std::string_view text, std::size_t offset, std::vector<TextRange>& result) const {
  const Limits limits;
  const std::unique_ptr<OnigRegion, void (*)(OnigRegion*)> region(onig_region_new(), [](OnigRegion* owned) { onig_region_free(owned, 1); });
  const OnigUChar* begin = bytes_of(text);
  const OnigUChar* end = begin + text.size();
  for (std::size_t at = 0; at <= text.size();) {
    const int found = onig_search_with_param(static_cast<regex_t*>(code_.get()), begin, end, begin + at, end, region.get(),
                                             ONIG_OPTION_NONE, limits.of_match);
    if (found == ONIG_MISMATCH) return;
    expect(found >= 0, "{}: expected a regular expression that fits the text, found: {}", where_, message_of(found, nullptr));
    const TextRange range{offset + static_cast<std::size_t>(region->beg[0]), offset + static_cast<std::size_t>(region->end[0])};
    const std::size_t done = result.empty() ? 0 : result.back().end;
    expect(range.begin <= range.end && range.begin >= done,
           "{}: expected a match that ends behind its start and its predecessor, found one that does not", where_);
    at = range.end - offset;
    if (range.begin == range.end && !result.empty() && done == range.end) {
      at += at < text.size() ? first_size(text.substr(at)) : 1;
    } else {
      result.push_back(range);
    }
  }
}

}  // namespace paretofl
