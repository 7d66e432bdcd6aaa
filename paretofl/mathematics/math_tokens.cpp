#include "paretofl/mathematics/math_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "paretofl/core/ascii.h"
#include "paretofl/core/utf8.h"
#include "paretofl/mathematics/math_words.h"
#include "paretofl/mathematics/number_groups.h"
#include "paretofl/mathematics/number_suffix.h"
#include "paretofl/mathematics/token_rewriting.h"
#include "paretofl/mathematics/units.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxBytes = 1000;
constexpr int kMaxNesting = 50;
constexpr std::string_view kMatrix = "\\begin{matrix}";
constexpr std::string_view kEndMatrix = "\\end{matrix}";

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_letter) - text.begin());
}

// The command that an inequality of two characters at the beginning of a text stands for.
std::string_view inequality(std::string_view text) {
  return text.starts_with("<=") ? "\\leq" : text.starts_with(">=") ? "\\geq" : text.starts_with("!=") ? "\\neq" : "";
}

struct HalfDay {
  std::string_view token;
  std::size_t size = 0;
};

// a.m. or p.m. at the beginning of a text, which tell times apart and so are no units; of size 0 where there is none.
HalfDay half_day(std::string_view text) {
  if (text.size() < 2) return {};
  const char first = text[0] == 'a' || text[0] == 'A' ? 'a' : text[0] == 'p' || text[0] == 'P' ? 'p' : ' ';
  const bool dotted = text.size() > 3 && text[1] == '.' && (text[2] == 'm' || text[2] == 'M') && text[3] == '.';
  const bool plain = (text[1] == 'm' || text[1] == 'M') && letters_of(text) == 2;
  if (first == ' ' || (!dotted && !plain)) return {};
  return {first == 'a' ? "am" : "pm", dotted ? 4U : 2U};
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  MathTokens tokens() {
    read();
    rewrite_tokens(tokens_);
    static constexpr std::array<std::string_view, 8> kEnds{".", ",", ";", "*", " ", "\\\\", "\\and", "\\or"};
    while (!tokens_.empty() && std::find(kEnds.begin(), kEnds.end(), tokens_.back()) != kEnds.end()) tokens_.pop_back();
    static constexpr std::array<std::string_view, 5> kBegins{"*", ",", "=", "\\and", "\\or"};
    tokens_.erase(tokens_.begin(), std::find_if(tokens_.begin(), tokens_.end(), [](std::string_view token) {
                    return std::find(kBegins.begin(), kBegins.end(), token) == kBegins.end();
                  }));
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (is_blank(peek())) ++at_;
  }
  bool take(std::string_view token) {
    if (!rest().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void push(std::string_view token) {
    gap_ = false;
    const std::size_t size = tokens_.size();
    const bool listed = size > 0 && (tokens_.back() == "," || tokens_.back() == "\\and" || tokens_.back() == "\\or");
    if (listed && token == ",") return;
    if (listed && (token == "\\and" || token == "\\or")) tokens_.pop_back();
    if (token == "}" && size > 0 && tokens_.back() == "{") {
      tokens_.pop_back();
    } else if (token == "}" && size > 1 && tokens_[size - 2] == "{") {
      tokens_.erase(tokens_.end() - 2);
    } else {
      tokens_.push_back(token);
    }
  }

  void push_characters(std::string_view characters) {
    for (std::size_t i = 0; i < characters.size(); ++i) push(characters.substr(i, 1));
  }

  // Whether what stands last is one digit that a command takes, after which another number may begin.
  bool ends_argument() const {
    const std::string_view before = tokens_.size() < 2 ? std::string_view() : tokens_[tokens_.size() - 2];
    return before == "_" || before == "^" || before == "\\frac" || before == "\\binom";
  }
  bool after_digit() const { return !tokens_.empty() && is_digit(tokens_.back()[0]); }
  // Whether what stands so far can have a unit.
  bool after_quantity() const {
    if (tokens_.empty()) return false;
    const std::string_view last = tokens_.back();
    return after_digit() || last == "}" || last == ")" || last == "\\pi" || last == "!" || number_word(last);
  }
  // The same where upright letters follow, which may stand behind a variable too, behind a stroke or another unit.
  bool after_expression() const {
    if (after_quantity()) return true;
    if (tokens_.empty()) return false;
    const std::string_view last = tokens_.back();
    return is_variable(last) || is_unit_token(last) || last == "|" || (last == "/" && tokens_.size() > 1) ||
           (last == "*" && tokens_.size() > 1 && is_unit_token(tokens_[tokens_.size() - 2]));
  }

  // Whether \frac{\text{m}}{\text{s}} may go on here.
  bool in_unit_fraction() const {
    const std::size_t size = tokens_.size();
    return size > 1 && tokens_[size - 1] == "{" && (tokens_[size - 2] == "\\frac" || is_unit_token(tokens_[size - 2]));
  }

  void read() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (is_blank(c) || c == '$') {
        gap_ = gap_ || is_blank(c);
        ++at_;
      } else if (c == '\\') {
        read_command();
      } else if (rest().starts_with("...")) {
        while (peek() == '.') ++at_;
        push("\\ldots");
      } else if (is_letter(c)) {
        read_word();
      } else if (is_digit(c)) {
        read_digits();
      } else if (c == '^') {
        read_power();
      } else if (c == '%') {
        ++at_;
        push("#percent");
      } else if (c == '!' && !gap_ && (after_quantity() || (after_expression() && !rest().starts_with("!=")))) {
        ++at_;
        push("!");
      } else if (rest().starts_with("**") && after_expression() && at_ + 2 < text_.size() && !is_blank(text_[at_ + 2]) &&
                 text_[at_ + 2] != '*') {
        ++at_;
        read_power();
      } else if (const std::size_t braced = c == '{' ? braced_comma(rest()) : 0; braced > 0) {
        at_ += braced;
        push(",");
      } else if (const std::string_view sign = inequality(rest()); !sign.empty()) {
        push(sign);
        at_ += 2;
      } else if (static_cast<unsigned char>(c) < 0x80) {
        push(text_.substr(at_++, 1));
      } else {
        read_symbol();
      }
    }
  }

  void read_digits() {
    const bool follows = after_digit();
    const std::size_t size = digits_of(rest());
    if (const std::size_t program = follows ? 0 : program_number_size(rest()); program > 0) {
      push(rest().substr(0, program));
      at_ += program;
      return;
    }
    if (follows && gap_) {
      const std::size_t below = rest().substr(size).starts_with('/') ? digits_of(rest().substr(size + 1)) : 0;
      if (below > 0) {
        push("\\frac");
        push_braced(rest().substr(0, size));
        push_braced(rest().substr(size + 1, below));
        at_ += size + 1 + below;
        return;
      }
      if (!ends_argument()) push(" ");
    }
    const bool begins = !follows && (tokens_.empty() || (tokens_.back() != "." && tokens_.back() != "^" && tokens_.back() != "_"));
    const std::size_t end = at_ + (begins ? grouped_number_size(text_, at_) : 0);
    if (end > at_) {
      for (; at_ < end; ++at_) {
        if (is_digit(peek())) push(text_.substr(at_, 1));
      }
    } else {
      push_characters(rest().substr(0, size));
      at_ += size;
      if (const std::size_t ending = ordinal_size(text_.substr(at_ - size, size), rest()); ending > 0) {
        push("#ordinal");
        at_ += ending;
      }
    }
    read_exponent();
  }

  void push_braced(std::string_view characters) {
    push("{");
    push_characters(characters);
    push("}");
  }

  // The end of a number like 1.5E-4. With a small e it may be a product, 2e-1, so there it takes what makes that unlikely: 1e-1.
  void read_exponent() {
    if (peek() != 'E' && peek() != 'e') return;
    const std::string_view behind = rest().substr(1);
    const std::size_t sign = behind.starts_with('+') || behind.starts_with('-') ? 1 : 0;
    const std::size_t size = digits_of(behind.substr(std::min(sign, behind.size())));
    const auto number = std::find_if_not(tokens_.rbegin(), tokens_.rend(), [](std::string_view token) { return is_digit(token[0]); });
    const bool decimal = number != tokens_.rend() && *number == ".";
    const bool one = number != tokens_.rbegin() && tokens_.back() == "1" && std::next(tokens_.rbegin()) == number;
    const bool product = peek() == 'e' && behind.starts_with('-') && size < 2 && !decimal && !one;
    if (size == 0 || product || letters_of(behind.substr(sign + size)) > 0) return;
    for (const std::string_view token : {"*", "1", "0", "^", "{"}) push(token);
    if (behind[0] == '-') push("-");
    push_characters(behind.substr(sign, size));
    push("}");
    at_ += 1 + sign + size;
  }

  // A power, or the sign of degrees. Plain digits, 2^10, are one exponent.
  void read_power() {
    const std::size_t power = ++at_;
    skip_blanks();
    const bool braced = take("{");
    skip_blanks();
    if (take("\\circ") || take("\\degree")) {
      skip_blanks();
      if (!braced || take("}")) return push("#degree");
    }
    at_ = power;
    push("^");
    skip_blanks();
    const std::size_t sign = peek() == '-' ? 1 : 0;
    const std::size_t size = digits_of(rest().substr(sign));
    if (size + sign < 2 || size == 0) return;
    push_braced(rest().substr(0, sign + size));
    at_ += sign + size;
  }

  // Reads LaTeX that stands for a character.
  void read_instead(std::string_view text) {
    const std::string_view whole = std::exchange(text_, text);
    const std::size_t at = std::exchange(at_, 0);
    read();
    text_ = whole;
    at_ = at;
  }

  void read_symbol() {
    const std::string_view symbol = rest().substr(0, first_size(rest()));
    at_ += symbol.size();
    const std::optional<std::string_view> meaning = math_symbol(symbol);
    if (!meaning) return push(symbol);
    if (meaning->starts_with("^{") || meaning->starts_with("_{")) return read_raised(*meaning);
    read_instead(*meaning);
    if (*meaning == "\\sqrt ") push_digits();
  }

  // Raised or lowered characters, given the meaning of the first: all of a row are one exponent.
  void read_raised(std::string_view meaning) {
    const std::string_view sign = meaning.substr(0, 1);
    push(sign);
    push("{");
    while (meaning.size() == 4 && meaning.starts_with(sign)) {
      push(meaning.substr(2, 1));
      const std::string_view next = at_ < text_.size() ? rest().substr(0, first_size(rest())) : std::string_view();
      meaning = math_symbol(next).value_or(std::string_view());
      if (meaning.size() == 4 && meaning.starts_with(sign)) at_ += next.size();
    }
    push("}");
  }

  // Digits behind a root, which are one number.
  void push_digits() {
    const std::size_t size = digits_of(rest());
    if (size < 2) return;
    push_braced(rest().substr(0, size));
    at_ += size;
  }

  void read_word() {
    const HalfDay half = half_day(rest());
    if (half.size > 0 && after_digit() && (gap_ || half.size > 2)) {
      at_ += half.size;
      return push(half.token);
    }
    if (after_quantity() && read_units(unit_phrase(rest(), false))) return;
    const std::string_view word = rest().substr(0, letters_of(rest()));
    at_ += word.size();
    if (names_base(word)) return;
    if (word == "x" && gap_ && after_digit() && rest().starts_with(" 10^")) return push("*");
    if (!tokens_.empty() && tokens_.back() == "#degree" && (word == "C" || word == "F"))
      return push(word == "C" ? "#celsius" : "#fahrenheit");
    if (const auto meaning = math_word(word)) {
      push(*meaning);
      if (word == "sqrt") push_digits();
      return;
    }
    if (word == "no" || word == "No" || word == "NO") return push("no");
    const bool product = !in_text_ && (word.size() < 3 || (word.size() == 3 && std::all_of(word.begin(), word.end(), is_small_letter)));
    if (word.size() > 1 && !product) return push(word);
    push_characters(word);
  }

  // Takes a word that says in which base the digits before it are: two and base of _{two} and _{base 2}, two of base two.
  bool names_base(std::string_view word) {
    const std::string_view last = tokens_.empty() ? std::string_view() : tokens_.back();
    const bool lowered = last == "_" || (last == "{" && tokens_.size() > 1 && tokens_[tokens_.size() - 2] == "_");
    if (lowered && word == "base") return true;
    const auto digits = lowered || last == "base" ? base_digits(word) : std::nullopt;
    if (digits) push_characters(*digits);
    return digits.has_value();
  }

  // Takes a phrase of units, unless it is none, or its last word may be another's beginning: min(1, 2).
  bool read_units(const UnitPhrase& phrase) {
    if (phrase.tokens.empty()) return false;
    const std::string_view behind = rest().substr(phrase.size);
    const std::size_t next = behind.find_first_not_of(" \\");
    if (next != std::string_view::npos) {
      if (behind[next] == '(' || behind[next] == '{' || behind[next] == '_') return false;
      const bool argument = letters_of(behind.substr(next)) == 1 || (next > 0 && behind[next - 1] == '\\');
      if (argument && rest().starts_with("sec")) return false;
    }
    at_ += phrase.size;
    for (const std::string_view token : phrase.tokens) push(token);
    return true;
  }

  void read_command() {
    const std::size_t begin = at_++;
    const std::string_view name = rest().substr(0, letters_of(rest()));
    if (name.empty()) return read_control_character();
    at_ += name.size();
    if (is_text_command(name)) return read_text(name == "mathrm");
    if (is_font_command(name)) return;
    if (is_layout_command(name)) return skip_argument();
    if (name == "sqrt") {
      push("\\sqrt");
      return push_digits();
    }
    if (is_alphabet_command(name)) return read_alphabet(text_.substr(begin, at_ - begin));
    if (name == "begin" || name == "end") {
      const std::size_t end = std::min(text_.find('}', at_), text_.size() - 1) + 1;
      const std::string_view environment = text_.substr(at_, end - at_);
      at_ = end;
      if (environment == "{array}" && name == "begin") at_ = std::min(text_.find('}', at_), text_.size() - 1) + 1;  // its columns
      if (is_matrix(environment)) return push(name == "begin" ? kMatrix : kEndMatrix);
      return push(text_.substr(begin, end - begin));
    }
    const std::optional<std::string_view> meaning = math_command(name);
    if (!meaning) return push(text_.substr(begin, at_ - begin));
    if (*meaning == " ") {
      gap_ = true;
    } else if (!meaning->empty()) {
      push(*meaning);
    } else if (name == "left" || name == "right") {
      take(".");
    }
  }

  void skip_argument() {
    skip_blanks();
    if (peek() != '{') return;
    int depth = 0;
    do {
      depth += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
      ++at_;
    } while (depth > 0 && at_ < text_.size());
  }

  void read_control_character() {
    if (at_ == text_.size()) return;
    const std::string_view name = text_.substr(at_ - 1, 2);
    ++at_;
    if (name == "\\\\" || name == "\\{" || name == "\\}" || name == "\\|") return push(name);
    if (name == "\\$") return push("#dollar");
    if (name == "\\%") return push("#percent");
    gap_ = gap_ || std::string_view(",;:> ").find(name[1]) != std::string_view::npos;
  }

  // The real numbers are an interval, all other sets themselves.
  void read_alphabet(std::string_view command) {
    skip_blanks();
    if (command == "\\mathbb" && (take("{R}") || (peek() == 'R' && letters_of(rest()) == 1 && take("R")))) {
      for (const std::string_view token : {"(", "-", "\\infty", ",", "\\infty", ")"}) push(token);
    } else {
      push(command);
    }
  }

  // The argument of \text: units behind a quantity, or more of the answer.
  void read_text(bool mathematics) {
    skip_blanks();
    if (!take("{")) return;
    std::size_t end = at_;
    for (int depth = 1; end < text_.size(); ++end) {
      depth += text_[end] == '{' ? 1 : text_[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::string_view content = text_.substr(at_, end - at_);
    const std::string_view name = content.substr(0, letters_of(content));
    if ((after_expression() || in_unit_fraction()) &&
        half_day(content.substr(std::min(content.find_first_not_of(' '), content.size()))).size == 0) {
      const UnitPhrase phrase = unit_phrase(content, true);
      for (const std::string_view token : phrase.tokens) push(token);
      at_ += phrase.size;
    }
    gap_ = true;
    const bool outside = std::exchange(in_text_, !mathematics || name.size() > 1);
    const std::string_view whole = std::exchange(text_, text_.substr(0, end));
    read();
    text_ = whole;
    in_text_ = outside;
    at_ = std::min(end + 1, text_.size());
  }

  std::string_view text_;
  MathTokens tokens_;
  std::size_t at_ = 0;
  bool gap_ = false;      // whether a space precedes
  bool in_text_ = false;  // whether letters are words
};

}  // namespace

int bracket_step(std::string_view token) {
  if (token == "(" || token == "[" || token == "{" || token == "\\{" || token == "\\langle" || token.starts_with("\\begin")) return 1;
  if (token == ")" || token == "]" || token == "}" || token == "\\}" || token == "\\rangle" || token.starts_with("\\end")) return -1;
  return 0;
}

std::optional<MathTokens> math_tokens(std::string_view text) {
  if (text.size() > kMaxBytes) return std::nullopt;
  MathTokens tokens = Tokenizer(text).tokens();
  int depth = 0;
  for (const std::string_view token : tokens) {
    depth += bracket_step(token);
    if (depth > kMaxNesting) return std::nullopt;
  }
  return tokens;
}

}  // namespace paretofl
