#include "paretofl/mathematics/math_expression.h"

#include <algorithm>
#include <string>

#include "paretofl/mathematics/math_functions.h"
#include "paretofl/mathematics/math_words.h"
#include "paretofl/mathematics/powers.h"
#include "paretofl/mathematics/units.h"

namespace paretofl {
namespace {

constexpr int kMaxDepth = 200;
constexpr int kMostFactors = 1000;

bool is_word(std::string_view token) { return token.size() > 1 && is_variable(token.substr(0, 1)) && !number_word(token); }
// Letters that name functions where brackets follow.
bool is_function_letter(std::string_view token) { return token == "f" || token == "g" || token == "F"; }

// The number that digits with at most one point among them say.
mpq_class decimal(const std::string& digits) {
  const std::size_t point = digits.find('.');
  std::string whole = digits;
  if (point != std::string::npos) whole.erase(point, 1);
  if (whole.empty() || whole.find('.') != std::string::npos) throw Undecided();
  mpq_class number{mpz_class(whole, 10)};
  if (point != std::string::npos) {
    mpz_ui_pow_ui(number.get_den_mpz_t(), 10, whole.size() - point);
    number.canonicalize();
  }
  return number;
}

// How often a power has its base as a factor: twice in (x+1)^2, not at all in (x+1)^{1/2}, and once where it is not known.
int times(const MathValue& exponent) {
  const std::optional<mpq_class> number = rational_of(exponent);
  if (!number) return 1;
  const mpz_class whole = abs(number->get_num()) / number->get_den();
  return whole > kMostFactors ? kMostFactors : static_cast<int>(whole.get_si());
}

int sums_in(const MathExpression& expression) { return expression.terms > 1 ? 1 : expression.factors; }

// Recursive descent.
class Reader {
 public:
  Reader(Algebra& algebra, MathSpan tokens) : algebra_(algebra), tokens_(tokens) {}

  MathExpression whole() {
    MathExpression result = expression();
    if (take("\\choose")) result = {binomial(algebra_, result.value, expression().value)};
    if (take("\\over")) result = over(result);
    if (at_ != tokens_.size()) throw Undecided();
    return result;
  }

 private:
  // Counts how deep the reader is within brackets and signs.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) {
      if (++depth_ > kMaxDepth) throw Undecided();
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --depth_; }

   private:
    int& depth_;
  };

  std::string_view peek(std::size_t ahead = 0) const { return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : std::string_view(); }
  bool take(std::string_view token) {
    if (peek() != token) return false;
    ++at_;
    return true;
  }
  void need(std::string_view token) {
    if (!take(token)) throw Undecided();
  }

  // Whether the signs that come next make what follows negative.
  bool minus() {
    bool negative = false;
    while (peek() == "+" || peek() == "-") negative = (tokens_[at_++] == "-") != negative;
    return negative;
  }

  MathExpression expression() {
    const Level level(depth_);
    bool negative = minus();
    MathExpression total = term();
    if (negative) total.value = algebra_.negative(total.value);
    while (peek() == "+" || peek() == "-") {
      negative = minus();
      const MathExpression next = term();
      total.terms += next.terms;
      total.factors = 0;
      total.value = negative ? algebra_.difference(total.value, next.value) : algebra_.sum(total.value, next.value);
    }
    return total;
  }

  MathExpression term() {
    const std::size_t begin = at_;
    MathExpression total = is_currency(peek()) ? amount() : power();
    while (true) {
      const bool divides = take("/");
      const bool explicitly = divides || take("*");
      if (!explicitly && !begins_factor()) return total;
      if (!explicitly && begins_number() && ends_quantity()) throw Undecided();  // 1 hour 30 minutes is no product
      if (explicitly) check_shares(begin);
      const bool negative = explicitly && minus();
      const MathExpression next = power();
      const int factors = sums_in(total) + sums_in(next);
      total.value = divides ? algebra_.quotient(total.value, next.value) : algebra_.product(total.value, next.value);
      if (explicitly) check_shares(begin);
      if (negative) total.value = algebra_.negative(total.value);
      total.terms = 1;
      total.factors = factors;
    }
  }

  bool begins_number() const {
    return is_digit_token(peek()) || peek() == "." || peek() == "\\frac" || (is_currency(peek()) && is_digit_token(peek(1)));
  }
  bool ends_quantity() const { return at_ > 0 && (is_unit_token(tokens_[at_ - 1]) || number_word(tokens_[at_ - 1])); }

  // Of a product, of which what stands since `begin` is read, no factor is in percent: 5% * 20 is no 100%.
  void check_shares(std::size_t begin) const {
    const MathSpan read = tokens_.subspan(begin, at_ - begin);
    if (!is_unit_token(peek()) && std::find(read.begin(), read.end(), "#percent") != read.end()) throw Undecided();
  }

  // $5, $-5 and also 5 $, whose sign of currency follows.
  MathExpression amount() {
    const MathValue currency = unit();
    const bool negative = minus();
    MathExpression amount = power();
    amount.value = algebra_.product(currency, negative ? algebra_.negative(amount.value) : amount.value);
    return amount;
  }

  bool begins_factor() const {
    const std::string_view token = peek();
    if (token == "|") return bars_ == 0;
    return is_digit_token(token) || token == "." || token == "(" || token == "{" || token == "[" || token == "\\frac" ||
           token == "\\sqrt" || token == "\\pi" || token == "\\binom" || token == "\\lfloor" || token == "\\lceil" || token == "\\lvert" ||
           is_unit_token(token) || number_word(token) || is_variable(token) || is_function_command(token) || is_accent_command(token) ||
           is_named();
  }

  // Whether a word comes next that is a name, Area / 2, as signs or a number part it from all other letters.
  bool is_named() const {
    if (!is_word(peek())) return false;
    const auto parts = [](std::string_view token) {
      return token.empty() || (token.size() == 1 && std::string_view("+-*/^(){}[]|").find(token) != std::string_view::npos);
    };
    const std::string_view before = at_ == 0 ? std::string_view() : tokens_[at_ - 1];
    if (before == "\\frac" || before == "\\sqrt") return true;
    return (parts(before) || is_digit_token(before)) && parts(peek(1));
  }

  MathExpression power() {
    const Level level(depth_);
    MathExpression base = factor();
    while (peek() == "!") {
      ++at_;
      base = {factorial(algebra_, base.value, take("!") ? 2 : 1)};
    }
    if (!take("^")) return base;
    const MathValue raised_to = exponent();
    MathExpression result{paretofl::power(algebra_, base.value, raised_to)};
    result.factors = std::min(sums_in(base), kMostFactors) * times(raised_to);
    return result;
  }

  MathValue exponent() {
    const Level level(depth_);
    const bool negative = minus();
    MathValue value = argument().value;
    if (take("^")) value = paretofl::power(algebra_, value, exponent());
    return negative ? algebra_.negative(value) : value;
  }

  MathExpression factor() {
    if (is_digit_token(peek()) || peek() == ".") return {number()};
    return argument();
  }

  std::string digits() {
    std::string digits;
    while (is_digit_token(peek()) || peek() == ".") digits += tokens_[at_++];
    return digits;
  }

  // Digits with a point, some repeating, or a mixed number: a whole one before a proper fraction of digits.
  MathValue number() {
    const std::string written = digits();
    if (written.find('.') != std::string::npos && (peek() == "\\overline" || peek() == "\\bar" || peek() == "\\dot"))
      return repeating(written);
    mpq_class value = decimal(written);
    if (peek() != "\\frac" || value.get_den() != 1) return algebra_.number(value);
    const std::size_t begin = at_++;
    const std::string above = digits_argument();
    const std::string below = digits_argument();
    if (!above.empty() && !below.empty() && decimal(above) < decimal(below)) {
      return algebra_.number(mpq_class(value + decimal(above) / decimal(below)));
    }
    at_ = begin;
    return algebra_.number(value);
  }

  std::string digits_argument() {
    std::string digits;
    if (take("{")) {
      while (is_digit_token(peek())) digits += tokens_[at_++];
      return take("}") ? digits : std::string();
    }
    if (is_digit_token(peek())) digits = tokens_[at_++];
    return digits;
  }

  MathValue repeating(const std::string& written) {
    const bool dotted = tokens_[at_++] == "\\dot";
    std::string period = digits_argument();
    if (dotted && is_digit_token(peek())) {  // 0.\dot{1}4285\dot{7}
      while (is_digit_token(peek())) period += tokens_[at_++];
      need("\\dot");
      period += digits_argument();
    } else if (dotted && take("\\dot")) {
      period += digits_argument();
    }
    if (period.empty()) throw Undecided();
    mpz_class nines;
    mpz_ui_pow_ui(nines.get_mpz_t(), 10, period.size());
    mpz_class shift;
    mpz_ui_pow_ui(shift.get_mpz_t(), 10, written.size() - written.find('.') - 1);
    return algebra_.number(
        mpq_class((written == "." ? mpq_class(0) : decimal(written)) + decimal(period) / mpq_class((nines - 1) * shift)));
  }

  MathExpression group(std::string_view end) {
    const int bars = std::exchange(bars_, 0);
    MathExpression value = expression();
    if (end == "}" && take("\\choose")) value = {binomial(algebra_, value.value, expression().value)};
    if (end == "}" && take("\\over")) value = over(value);
    need(end);
    bars_ = bars;
    return value;
  }

  // What stands above \over by what stands below it.
  MathExpression over(const MathExpression& above) {
    const MathExpression below = expression();
    return {algebra_.quotient(above.value, below.value), 1, sums_in(above) + sums_in(below)};
  }

  MathValue unit() {
    const std::string_view token = tokens_[at_++];
    if (!is_counted(token)) return algebra_.symbol(MathAtom::Kind::kUnit, std::string(token), true);
    if (is_digit_token(peek()) || is_variable(peek())) throw Undecided();  // 2 root 3 is not 2
    return algebra_.number(1);
  }

  // One token or group, as LaTeX takes an argument.
  MathExpression argument() {
    const Level level(depth_);
    if (at_ == tokens_.size()) throw Undecided();
    const std::string_view token = peek();
    if (is_unit_token(token)) return {unit()};
    if (is_variable(token) || is_accent_command(token)) return {variable()};
    if (is_named()) return {algebra_.symbol(MathAtom::Kind::kVariable, std::string(tokens_[at_++]))};
    if (is_function_command(token)) return {function()};
    ++at_;
    if (token == "{") return group("}");
    if (token == "(") return group(")");
    if (token == "[") return group("]");
    if (token == "\\lvert") return {absolute_value(algebra_, group("\\rvert").value)};
    if (token == "\\lfloor") return {floor_value(algebra_, group("\\rfloor").value)};
    if (token == "\\lceil") return {ceiling_value(algebra_, group("\\rceil").value)};
    if (token == "|") return {between_bars()};
    if (is_digit_token(token)) return {algebra_.number(mpq_class(decimal(std::string(token))))};
    if (token == "\\frac") return fraction();
    if (token == "\\sqrt") return {root_value()};
    if (token == "\\pi") return {algebra_.pi()};
    if (token == "\\binom") {
      const MathValue above = argument().value;
      return {binomial(algebra_, above, argument().value)};
    }
    if (const auto number = number_word(token)) return {algebra_.number(decimal(std::string(*number)))};
    throw Undecided();
  }

  MathValue between_bars() {
    ++bars_;
    const MathValue value = expression().value;
    need("|");
    --bars_;
    return absolute_value(algebra_, value);
  }

  // Whether the arguments of \frac are those of a derivative: dy over dx, or d over dx.
  bool is_derivative() const {
    const MathSpan rest = tokens_.subspan(at_);
    const bool braced = peek() == "{";
    const std::size_t end = braced ? static_cast<std::size_t>(std::find(rest.begin(), rest.end(), "}") - rest.begin()) + 1 : 1;
    if (peek(braced ? 1 : 0) != "d" || end + 3 >= rest.size()) return false;
    return rest[end] == "{" && rest[end + 1] == "d" && is_variable(rest[end + 2]) && rest[end + 3] == "}";
  }

  MathExpression fraction() {
    if (is_derivative()) throw Undecided();
    const MathExpression above = argument();
    const MathExpression below = argument();
    return {algebra_.quotient(above.value, below.value), 1, sums_in(above) + sums_in(below)};
  }

  MathValue root_value() {
    mpq_class degree = 2;
    if (take("[")) degree = rational_of(group("]").value).value_or(0);
    if (degree <= 0 || degree.get_den() != 1 || degree > 1000) throw Undecided();
    const auto n = static_cast<unsigned>(degree.get_num().get_ui());
    return root(algebra_, argument().value, n);
  }

  // The tokens of a subscript or an accent's argument, as a part of a name.
  std::string name_argument() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == tokens_.size()) throw Undecided();
      depth += bracket_step(tokens_[at_++]);
    } while (depth > 0);
    std::string name;
    for (std::size_t i = begin; i < at_; ++i) name.append(tokens_[i]).append(" ");
    return name;
  }

  MathValue variable() {
    std::string name(tokens_[at_++]);
    if (name == "i" && peek() != "_") return algebra_.imaginary_unit();
    if (name == "e" && peek() != "_") return exponential(algebra_, algebra_.number(1));
    if (is_accent_command(name)) name += " " + name_argument();
    if (take("_")) name += "_" + name_argument();
    while (take("'")) name += "'";
    if (!is_function_letter(name.substr(0, 1)) || peek() != "(") return algebra_.symbol(MathAtom::Kind::kVariable, name);
    return algebra_.function(name + "()", arguments());
  }

  // In brackets, with commas between them.
  std::vector<MathValue> arguments() {
    const std::string_view open = tokens_[at_++];
    std::vector<MathValue> arguments;
    const int bars = std::exchange(bars_, 0);
    do {
      arguments.push_back(expression().value);
    } while (take(","));
    need(open == "(" ? ")" : open == "[" ? "]" : open == "{" ? "}" : "\\}");
    bars_ = bars;
    return arguments;
  }

  MathValue function() {
    const std::string_view command = tokens_[at_++];
    std::optional<MathValue> base;
    std::optional<MathValue> exponent;
    while (peek() == "_" || peek() == "^") {
      std::optional<MathValue>& part = peek() == "_" ? base : exponent;
      if (part) throw Undecided();
      ++at_;
      const bool negative = minus();
      part = argument().value;
      if (negative) part = algebra_.negative(*part);
    }
    const std::string_view open = peek();
    const std::vector<MathValue> values =
        open == "(" || open == "{" || open == "[" || open == "\\{" ? arguments() : std::vector{bare_argument()};
    if (base) {
      if (command != "\\log" || values.size() != 1) throw Undecided();
      const MathValue value = logarithm_to(algebra_, *base, values.front());
      return exponent ? paretofl::power(algebra_, value, *exponent) : value;
    }
    if (!exponent) return math_function(algebra_, command, values);
    if (values.size() != 1) throw Undecided();
    if (algebra_.equal(*exponent, algebra_.number(-1))) return inverse_function(algebra_, command, values.front());
    return paretofl::power(algebra_, math_function(algebra_, command, values), *exponent);
  }

  // What a function without brackets is of: the factors that follow, up to another function.
  MathValue bare_argument() {
    const Level level(depth_);
    const bool negative = minus();
    MathValue value = power().value;
    while (begins_factor() && !is_function_command(peek())) value = algebra_.product(value, power().value);
    return negative ? algebra_.negative(value) : value;
  }

  Algebra& algebra_;
  MathSpan tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int bars_ = 0;  // open ones
};

}  // namespace

MathExpression math_expression(Algebra& algebra, MathSpan tokens) { return Reader(algebra, tokens).whole(); }

bool is_expression_token(std::string_view token) {
  if (token.size() == 1 && std::string_view("+-*/^_!|.,()[]{}'").find(token) != std::string_view::npos) return true;
  for (const std::string_view known : {"\\frac", "\\sqrt", "\\pi", "\\binom", "\\choose", "\\over", "\\lfloor", "\\rfloor", "\\lceil",
                                       "\\rceil", "\\lvert", "\\rvert", "\\{", "\\}"}) {
    if (token == known) return true;
  }
  return is_digit_token(token) || is_unit_token(token) || number_word(token) || is_variable(token) || is_accent_command(token) ||
         is_function_command(token);
}

}  // namespace paretofl
