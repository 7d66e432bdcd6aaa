#include "paretofl/rewards/number_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace paretofl {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// One way to write what has several: LaTeX's commas and spaces, the minus sign of typesetters.
std::string plain(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSpellings{
      {{"{,}", ","}, {"\\!", ""}, {"\\$", "$"}, {"\u2212", "-"}, {"\\dfrac", "\\frac"}, {"\\tfrac", "\\frac"}}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto* const spelling =
        std::find_if(kSpellings.begin(), kSpellings.end(), [&](const auto& entry) { return text.substr(at).starts_with(entry.first); });
    if (spelling == kSpellings.end()) {
      result += text[at++];
    } else {
      result += spelling->second;
      at += spelling->first.size();
    }
  }
  return result;
}

class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}

  std::vector<std::optional<ExactNumber>> numbers() {
    std::vector<std::optional<ExactNumber>> numbers;
    while (at_ < text_.size()) {
      const bool fraction = rest().starts_with("\\frac{") && fraction_at(at_).has_value();
      if (fraction || is_digit(peek(0)) || (peek(0) == '.' && is_digit(peek(1)))) {
        const bool negative = signed_at(at_);
        std::optional<ExactNumber> number = fraction ? latex_fraction() : decimal();
        if (number && negative) number = product(*number, ExactNumber(-1));
        numbers.push_back(number);
      } else if (is_letter(peek(0))) {
        while (is_letter(peek(0)) || is_digit(peek(0))) ++at_;
      } else if (peek(0) == '^' || (peek(0) == '_' && at_ > 0 && (is_letter(text_[at_ - 1]) || is_digit(text_[at_ - 1])))) {
        ++at_;
        while (peek(0) == '{' || peek(0) == '-') ++at_;
        while (is_digit(peek(0))) ++at_;
      } else {
        ++at_;
      }
    }
    return numbers;
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }

  // Whether the number that begins there has a minus for its sign.
  bool signed_at(std::size_t begin) const {
    const auto minus = text_.substr(0, begin).find_last_not_of("$ ");
    if (minus == kNone || text_[minus] != '-') return false;
    if (text_.substr(minus, begin - minus).find(' ') != kNone) {  // what a bullet of a list and a difference also look like
      const auto before = text_.substr(0, minus).find_last_not_of(' ');
      return before == kNone || std::string_view("={(").find(text_[before]) != kNone;
    }
    if (minus == 0) return true;
    const char before = text_[minus - 1];
    return !is_letter(before) && !is_digit(before) && std::string_view(")]}").find(before) == kNone;
  }

  std::string_view digits() {
    const std::size_t begin = at_;
    while (is_digit(peek(0))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Digits, groups of three after commas, decimals; a fraction, or the fraction of a mixed number.
  std::optional<ExactNumber> decimal() {
    std::string number(digits());
    if (!number.empty() && number.size() <= 3) {
      while (peek(0) == ',' && is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) && !is_digit(peek(4))) {
        ++at_;
        number += digits();
      }
    }
    if (peek(0) == '.' && is_digit(peek(1))) {
      ++at_;
      return ExactNumber::decimal(number + "." + std::string(digits()));
    }
    const auto whole = ExactNumber::decimal(number);
    if (peek(0) == '/' && is_digit(peek(1))) {
      ++at_;
      const auto below = ExactNumber::decimal(digits());
      return whole && below ? quotient(*whole, *below) : std::nullopt;
    }
    const std::optional<ExactNumber> part = mixed_part();
    return whole && part ? sum(*whole, *part) : whole;
  }

  std::optional<ExactNumber> mixed_part() {
    const std::size_t begin = at_;
    if (peek(0) == ' ') ++at_;
    if (rest().starts_with("\\frac{")) {
      if (const auto part = latex_fraction()) return part;
    } else if (at_ > begin) {
      const auto above = ExactNumber::decimal(digits());
      if (above && peek(0) == '/' && is_digit(peek(1))) {
        ++at_;
        const auto below = ExactNumber::decimal(digits());
        if (below) return quotient(*above, *below);
      }
    }
    at_ = begin;
    return std::nullopt;
  }

  std::optional<ExactNumber> fraction_at(std::size_t begin) {
    const std::size_t back = std::exchange(at_, begin);
    const auto fraction = latex_fraction();
    at_ = back;
    return fraction;
  }

  // \frac{digits}{digits}; reads nothing where something else stands there.
  std::optional<ExactNumber> latex_fraction() {
    const std::size_t begin = at_;
    at_ += std::string_view("\\frac{").size();
    const auto above = ExactNumber::decimal(digits());
    if (rest().starts_with("}{")) {
      at_ += 2;
      const auto below = ExactNumber::decimal(digits());
      if (above && below && peek(0) == '}') {
        ++at_;
        return quotient(*above, *below);
      }
    }
    at_ = begin;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::optional<ExactNumber>> numbers_of(std::string_view text) {
  const std::string spelled = plain(text);
  return NumberReader(spelled).numbers();
}

}  // namespace paretofl
