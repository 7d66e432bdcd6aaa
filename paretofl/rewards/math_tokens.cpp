#include "paretofl/rewards/math_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/math_words.h"
#include "paretofl/text/utf8.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxBytes = 1000;
constexpr int kMaxDepth = 50;
constexpr std::string_view kMatrix = "\\begin{matrix}";
constexpr std::string_view kEndMatrix = "\\end{matrix}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '~'; }

std::size_t digits_of(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_letter) - text.begin());
}

// Size of a number like 1,234,567 at the beginning of a text; 0 where there is none.
std::size_t grouped_size(std::string_view text) {
  std::size_t size = digits_of(text);
  if (size == 0 || size > 3) return 0;
  std::size_t groups = 0;
  for (; text.substr(size).starts_with(',') && digits_of(text.substr(size + 1)) == 3; size += 4) ++groups;
  const bool goes_on = text.substr(size).starts_with(',') && digits_of(text.substr(size + 1)) > 0;
  return groups == 0 || goes_on ? 0 : size;
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
  Tokenizer(std::string_view text, CommaReading commas) : text_(text), commas_(commas) {}

  MathTokens tokens() {
    read();
    static constexpr std::array<std::string_view, 6> kEnds{".", ",", ";", "*", " ", "\\\\"};
    while (!tokens_.empty() && std::find(kEnds.begin(), kEnds.end(), tokens_.back()) != kEnds.end()) tokens_.pop_back();
    const auto begins = std::find_if(tokens_.begin(), tokens_.end(), [](std::string_view token) { return token != "*" && token != ","; });
    tokens_.erase(tokens_.begin(), begins);
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
    depth_ += token == "{" || token == "}" ? 0 : bracket_step(token);
    const std::size_t size = tokens_.size();
    if (token == "," && size > 0 && tokens_.back() == ",") return;
    if (token == "}" && size > 0 && tokens_[size - 1] == "{") {
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

  bool after_digit() const { return !tokens_.empty() && is_digit(tokens_.back()[0]); }
  // Whether what stands so far can have a unit.
  bool after_quantity() const {
    if (tokens_.empty()) return false;
    const std::string_view last = tokens_.back();
    return after_digit() || last == "}" || last == ")" || last == "\\pi";
  }

  void read() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (is_blank(c) || c == '$') {
        gap_ = gap_ || is_blank(c);
        ++at_;
      } else if (c == '\\') {
        read_command();
      } else if (is_letter(c)) {
        read_word();
      } else if (is_digit(c)) {
        read_digits();
      } else if (c == '^') {
        read_power();
      } else if (c == '%') {
        ++at_;
      } else if (c == ',' || (c == '{' && after_digit())) {
        read_comma();
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
    if (gap_ && after_digit()) {
      const std::size_t above = digits_of(rest());
      const std::size_t below = rest().substr(above).starts_with('/') ? digits_of(rest().substr(above + 1)) : 0;
      if (below > 0) {
        push("\\frac");
        for (const std::string_view digits : {rest().substr(0, above), rest().substr(above + 1, below)}) {
          push("{");
          push_characters(digits);
          push("}");
        }
        at_ += above + 1 + below;
        return;
      }
      if (above != 3) push(" ");
    }
    const bool begins = !after_digit() && (tokens_.empty() || tokens_.back() != ".");
    const std::size_t grouped = begins && depth_ == 0 && commas_ == CommaReading::kThousands ? grouped_size(rest()) : 0;
    for (std::size_t end = at_ + std::max<std::size_t>(grouped, 1); at_ < end; ++at_) {
      if (peek() != ',') push(text_.substr(at_, 1));
    }
  }

  // A comma, or none where {,} or ,\! separates groups of three digits.
  void read_comma() {
    const std::size_t begin = at_;
    const bool braced = take("{");
    skip_blanks();
    const bool comma = take(",");
    const std::size_t after = at_;
    skip_blanks();
    const bool enclosed = braced && comma && take("}");
    if (enclosed) skip_blanks();
    if (braced && !enclosed) {
      at_ = begin + 1;
      return push("{");
    }
    const std::size_t end = at_;
    while (take("\\!")) skip_blanks();
    const bool group = after_digit() && digits_of(rest()) == 3;
    if (!group || (!enclosed && at_ == end)) {
      at_ = enclosed ? end : after;
      push(",");
    }
  }

  // A power, unless it is that of degrees.
  void read_power() {
    const std::size_t power = ++at_;
    skip_blanks();
    const bool braced = take("{");
    skip_blanks();
    if (take("\\circ") || take("\\degree")) {
      skip_blanks();
      if (!braced || take("}")) return;
    }
    at_ = power;
    push("^");
  }

  void read_symbol() {
    const std::string_view symbol = rest().substr(0, first_size(rest()));
    at_ += symbol.size();
    const std::optional<std::string_view> meaning = math_symbol(symbol);
    if (!meaning) return push(symbol);
    if (*meaning == " ") {
      gap_ = true;
    } else if (meaning->starts_with('^')) {
      push_characters(*meaning);
    } else if (!meaning->empty()) {
      push(*meaning);
    }
  }

  void read_word() {
    const HalfDay half = half_day(rest());
    if (half.size > 0 && after_digit() && (gap_ || half.size > 2)) {
      at_ += half.size;
      return push(half.token);
    }
    const std::string_view word = rest().substr(0, letters_of(rest()));
    at_ += word.size();
    if (const auto meaning = math_word(word)) return push(*meaning);
    if (after_quantity() && ((gap_ && word.size() > 3) || is_short_unit(word))) return skip_power();
    if (word.size() > 2) return push(word);
    push_characters(word);
  }

  // The power of a unit.
  void skip_power() {
    const std::size_t after = at_;
    skip_blanks();
    if (!take("^")) {
      at_ = after;
    } else if (peek() == '{') {
      at_ = std::min(text_.find('}', at_), text_.size() - 1) + 1;
    } else if (at_ < text_.size()) {
      ++at_;
    }
  }

  void read_command() {
    const std::size_t begin = at_++;
    const std::string_view name = rest().substr(0, letters_of(rest()));
    if (name.empty()) return read_control_character();
    at_ += name.size();
    if (is_text_command(name)) return read_text(name.starts_with("math") || name == "boldsymbol");
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

  void read_control_character() {
    if (at_ == text_.size()) return;
    const std::string_view name = text_.substr(at_ - 1, 2);
    ++at_;
    if (name == "\\\\" || name == "\\{" || name == "\\}" || name == "\\|") return push(name);
    gap_ = gap_ || std::string_view(",;:> ").find(name[1]) != std::string_view::npos;
  }

  // The argument of \text: a unit behind a quantity, or more of the answer.
  void read_text(bool letters) {
    skip_blanks();
    if (!take("{")) return;
    std::size_t end = at_;
    for (int depth = 1; end < text_.size(); ++end) {
      depth += text_[end] == '{' ? 1 : text_[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    const std::string_view content = trimmed(text_.substr(at_, end - at_));
    const std::string_view word = content.substr(0, letters_of(content));
    const bool behind = after_quantity() || (!tokens_.empty() && is_letter(tokens_.back()[0]));
    const bool variable = letters && content.size() == 1;
    const bool unit = behind && !word.empty() && !variable && !math_word(word) && half_day(content).size == 0;
    if (!unit) {
      gap_ = true;
      const std::string_view whole = std::exchange(text_, text_.substr(0, end));
      read();
      text_ = whole;
    }
    at_ = std::min(end + 1, text_.size());
    if (unit) skip_power();
  }

  std::string_view text_;
  CommaReading commas_;
  MathTokens tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;     // of brackets, without the braces of arguments
  bool gap_ = false;  // whether a space precedes
};

}  // namespace

int bracket_step(std::string_view token) {
  if (token == "(" || token == "[" || token == "{" || token == "\\{" || token.starts_with("\\begin")) return 1;
  if (token == ")" || token == "]" || token == "}" || token == "\\}" || token.starts_with("\\end")) return -1;
  return 0;
}

std::optional<MathTokens> math_tokens(std::string_view text, CommaReading commas) {
  if (text.size() > kMaxBytes) return std::nullopt;
  MathTokens tokens = Tokenizer(text, commas).tokens();
  int depth = 0;
  for (const std::string_view token : tokens) {
    depth += bracket_step(token);
    if (depth > kMaxDepth) return std::nullopt;
  }
  return tokens;
}

}  // namespace paretofl
