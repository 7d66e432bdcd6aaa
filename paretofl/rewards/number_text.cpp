#include "paretofl/rewards/number_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/core/ascii.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/answer_words.h"
#include "paretofl/rewards/number_sign.h"
#include "paretofl/rewards/number_spelling.h"

namespace paretofl {
namespace {

constexpr std::int64_t kLargestPower = 18;  // of ten that an ExactNumber holds

// LaTeX that changes how a number looks or says what it counts, and leaves it the same number.
constexpr auto kHarmless = std::to_array<std::string_view>(
    {"text",       "textbf",      "textit", "textrm",     "textsf",  "mbox",  "hbox",  "mathrm",       "mathbf",       "mathit",
     "mathsf",     "rm",          "bf",     "boxed",      "fbox",    "quad",  "qquad", "displaystyle", "textstyle",    "circ",
     "degree",     "dollar",      "pounds", "euro",       "percent", "large", "Large", "underline",    "therefore",    "approx",
     "checkmark",  "blacksquare", "square", "boldsymbol", "ldots",   "dots",  "begin", "end",          "implies",      "Rightarrow",
     "rightarrow", "to",          "space",  "hspace",     "phantom", "color", "units", "unit",         "operatorname", "big",
     "bigl",       "bigr",        "Big",    "Bigl",       "Bigr",    "bigg",  "biggl", "biggr"});

// LaTeX that makes another number of what stands behind it.
constexpr auto kFunctions = std::to_array<std::string_view>({"sqrt", "binom", "dbinom", "tbinom", "overline", "log", "ln", "exp", "sin",
                                                             "cos", "tan", "pi", "pm", "mp", "infty", "lfloor", "lceil"});

std::optional<ExactNumber> times_power_of_ten(const std::optional<ExactNumber>& number, bool negative, std::string_view digits) {
  std::int64_t power = 0;
  for (const char c : digits) {
    power = 10 * power + (c - '0');
    if (power > kLargestPower) return std::nullopt;
  }
  std::int64_t factor = 1;
  for (std::int64_t i = 0; i < power; ++i) factor *= 10;
  if (!number) return std::nullopt;
  return negative ? quotient(*number, ExactNumber(factor)) : product(*number, ExactNumber(factor));
}

class NumberReader {
 public:
  explicit NumberReader(std::string_view text, NumberText* into = nullptr) : into_(into), text_(text) {}

  void read() {
    while (at_ < text_.size()) {
      const char before = at_ > 0 ? text_[at_ - 1] : '\0';
      if (is_digit(peek(0)) || (peek(0) == '.' && is_digit(peek(1)) && !is_letter(before)) || command() == "frac") {
        number();
      } else if (peek(0) == '\\') {
        other_command();
      } else if (is_letter(peek(0))) {
        while (is_letter(peek(0)) || is_digit(peek(0))) ++at_;
      } else if (peek(0) == '^' || (peek(0) == '_' && at_ > 0 && (is_letter(before) || is_digit(before) || before == '}'))) {
        ++at_;
        while (peek(0) == '{' || peek(0) == '-') ++at_;
        while (is_digit(peek(0))) ++at_;
      } else {
        ++at_;
      }
    }
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }

  // The name of the LaTeX command that begins here.
  std::string_view command() const {
    if (peek(0) != '\\') return {};
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    return text_.substr(at_ + 1, end - at_ - 1);
  }

  void other_command() {
    const std::size_t begin = at_;
    const std::string_view name = command();
    at_ += std::max<std::size_t>(name.size(), 1) + 1;
    if (is_among(kFunctions, name)) {
      if (peek(0) == '[') at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
      while (peek(0) == ' ') ++at_;
      if (peek(0) == '{') argument();
      if (is_digit(peek(0))) plain();
      into_->numbers.push_back({std::nullopt, begin, at_});
    } else if (name.size() > 1 && !is_among(kHarmless, name)) {
      into_->unknown_command = true;
    }
    at_ = std::min(at_, text_.size());
  }

  // Whether a fraction of units begins here: \frac{\text{km}}{\text{h}}.
  bool is_unit() {
    if (command() != "frac") return false;
    const std::size_t begin = at_;
    at_ += std::string_view("\\frac").size();
    const bool above = is_word(argument());
    if (above && is_word(argument())) return true;
    at_ = begin;
    return false;
  }

  static bool is_word(std::string_view text) {
    const bool word = text.starts_with("\\text{") || text.starts_with("\\mathrm{");
    return word && std::none_of(text.begin(), text.end(), is_digit);
  }

  void number() {
    if (is_unit()) return;
    const std::size_t begin = at_;
    std::optional<ExactNumber> value = peek(0) == '\\' ? latex_fraction() : decimal();
    value = scaled(value);
    if (!ends_here()) value.reset();
    value = with_sign(value, sign_before(text_.substr(0, begin)));
    into_->numbers.push_back({value, begin, at_});
  }

  std::string_view digits() {
    const std::size_t begin = at_;
    while (is_digit(peek(0))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Digits, groups of three after commas, decimals.
  std::optional<ExactNumber> plain() {
    std::string number(digits());
    if (!number.empty() && number.size() <= 3) {
      while (peek(0) == ',' && is_digit(peek(1)) && is_digit(peek(2)) && is_digit(peek(3)) && !is_digit(peek(4))) {
        ++at_;
        number += digits();
      }
    }
    if (peek(0) == '.' && is_digit(peek(1))) {
      ++at_;
      number += ".";
      number += digits();
    }
    return ExactNumber::decimal(number);
  }

  // A plain number, a fraction of two, or a mixed number.
  std::optional<ExactNumber> decimal() {
    const auto whole = plain();
    const std::size_t behind = at_;
    if (over()) {
      const auto below = plain();
      return whole && below ? quotient(*whole, *below) : std::nullopt;
    }
    if (peek(0) == ' ') ++at_;
    std::optional<ExactNumber> part;
    if (command() == "frac") {
      part = latex_fraction();
    } else if (at_ > behind && is_digit(peek(0))) {
      const auto above = ExactNumber::decimal(digits());
      const auto below = peek(0) == '/' && is_digit(peek(1)) ? (++at_, ExactNumber::decimal(digits())) : std::nullopt;
      if (above && below) part = quotient(*above, *below);
    }
    if (whole && part && part->numerator() > 0 && part->numerator() < part->denominator()) return sum(*whole, *part);
    at_ = behind;
    return whole;
  }

  // Goes past a slash with a number behind it.
  bool over() {
    std::size_t ahead = 0;
    while (peek(ahead) == ' ') ++ahead;
    if (peek(ahead) != '/') return false;
    const bool spaced = ahead > 0;
    ++ahead;
    while (spaced && peek(ahead) == ' ') ++ahead;
    if (!is_digit(peek(ahead)) && !(peek(ahead) == '.' && is_digit(peek(ahead + 1)))) return false;
    at_ += ahead;
    return true;
  }

  // What stands in braces, or one character.
  std::string_view argument() {
    while (peek(0) == ' ') ++at_;
    const std::size_t begin = at_;
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) ++at_;
      if (c == '{') ++depth;
      if (c == '}' && depth > 0) --depth;
      if (depth == 0) break;
    }
    const std::string_view found = text_.substr(begin, at_ - begin);
    return found.starts_with('{') && found.ends_with('}') ? found.substr(1, found.size() - 2) : found;
  }

  // A number with a sign and nothing else.
  static std::optional<ExactNumber> signed_number(std::string_view text) {
    text = trimmed(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text = trimmed(text.substr(1));
    NumberReader reader(text);
    const auto number = reader.plain();
    if (!number || reader.at_ != text.size()) return std::nullopt;
    return negative ? product(*number, ExactNumber(-1)) : number;
  }

  // \frac and its two arguments; none where they are more than numbers.
  std::optional<ExactNumber> latex_fraction() {
    at_ += std::string_view("\\frac").size();
    const auto above = signed_number(argument());
    const auto below = signed_number(argument());
    return above && below ? quotient(*above, *below) : std::nullopt;
  }

  // e3, * 10^3.
  std::optional<ExactNumber> scaled(std::optional<ExactNumber> value) {
    if (peek(0) == 'e' || peek(0) == 'E') {
      const bool has_sign = peek(1) == '-' || peek(1) == '+';
      if (is_digit(peek(has_sign ? 2 : 1))) {
        const bool negative = peek(1) == '-';
        at_ += has_sign ? 2 : 1;
        return times_power_of_ten(value, negative, digits());
      }
    }
    const std::size_t behind = at_;
    while (peek(0) == ' ') ++at_;
    if (peek(0) == '*' || peek(0) == 'x') {
      ++at_;
      while (peek(0) == ' ') ++at_;
      if (rest().starts_with("10^")) {
        at_ += 3;
        const bool braces = peek(0) == '{';
        if (braces) ++at_;
        const bool negative = peek(0) == '-';
        if (negative) ++at_;
        const std::string_view power = digits();
        if (!power.empty() && (!braces || peek(0) == '}')) {
          if (braces) ++at_;
          return times_power_of_ten(value, negative, power);
        }
      }
      at_ = behind;
      return value;
    }
    at_ = behind;
    return value;
  }

  // Whether a number is over where reading stopped. Goes past what makes something else of it: 2^3, 1,23, 1/2/3, 101_2, 2x3.
  bool ends_here() {
    const std::size_t behind = at_;
    while (is_digit(peek(0)) || ((peek(0) == '.' || peek(0) == ',' || peek(0) == '/' || peek(0) == '_') && is_digit(peek(1)))) {
      ++at_;
    }
    if (at_ > behind) return false;
    if (peek(0) == 'x' && is_digit(peek(1))) {
      ++at_;
      digits();
      return false;
    }
    if (peek(0) != '^' && peek(0) != '_') return true;
    std::string_view raised = rest().substr(1);
    for (const std::string_view opening : {"{", "\\text{", "\\mathrm{"}) {
      if (raised.starts_with(opening)) raised.remove_prefix(opening.size());
    }
    const bool harmless = std::any_of(kRaised.begin(), kRaised.end(), [&](std::string_view word) { return raised.starts_with(word); });
    if (peek(0) == '^' && harmless) return true;
    ++at_;
    argument();
    return false;
  }

  static constexpr std::array<std::string_view, 7> kRaised{"\\circ", "\\degree", "o}", "st", "nd", "rd", "th"};

  NumberText* into_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

NumberText::NumberText(std::string_view from) : text(one_spelling(from)) { NumberReader(text, this).read(); }

}  // namespace paretofl
