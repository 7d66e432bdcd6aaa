#include "paretofl/text/module_pattern.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/text/regex.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::size_t kMaxSize = 1000;

// Goes through an expression from left to right and throws on what is read in two ways. What neither can read is left to Oniguruma.
class PatternScan {
 public:
  PatternScan(std::string_view pattern, const std::string& what) : pattern_(pattern), what_(what) {}

  void run() {
    const bool ascii = std::all_of(pattern_.begin(), pattern_.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii) refuse("characters outside ASCII");
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\') {
        pass_escape("ABDSWZabdfnrstvwz");
      } else if (c == '[') {
        pass_class();
      } else if (c == '(') {
        pass_group();
      } else if (repeats(c)) {
        pass_repetition();
      } else {
        ++at_;
      }
    }
  }

 private:
  static bool repeats(char c) { return c == '*' || c == '+' || c == '?' || c == '{'; }

  [[noreturn]] void refuse(const std::string& part) const {
    throw Error(fmt::format("{}: expected a regular expression without {}, which Oniguruma and Python do not read alike, found '{}'", what_,
                            part, shown(pattern_)));
  }

  bool follows(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }

  void pass_escape(std::string_view letters) {
    if (at_ + 1 < pattern_.size()) {
      const char c = pattern_[at_ + 1];
      const bool known = !is_letter(c) && !is_digit(c);
      if (!known && letters.find(c) == std::string_view::npos) refuse(fmt::format("\\{}", c));
    }
    at_ += 2;
  }

  void pass_class() {
    ++at_;
    if (follows("^")) ++at_;
    if (follows("]")) refuse("] at the beginning of a class");
    while (at_ < pattern_.size() && pattern_[at_] != ']') {
      for (const char* pair : {"&&", "--", "~~", "||"}) {
        if (follows(pair)) refuse(fmt::format("{} in a class", pair));
      }
      if (follows("[")) refuse("[ in a class");
      if (follows("\\")) {
        pass_escape("DSWadfnrstvw");
      } else {
        ++at_;
      }
    }
    ++at_;
  }

  void pass_group() {
    if (follows("(*")) refuse("(*");
    if (follows("(?")) {
      static constexpr std::array<std::string_view, 7> kKinds = {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:"};
      const bool known = std::any_of(kKinds.begin(), kKinds.end(), [&](std::string_view kind) { return follows(kind); });
      if (follows("(?i)") && at_ > 0) refuse("(?i) behind the beginning");
      if (!known && !follows("(?i)")) refuse(std::string(pattern_.substr(at_, 3)));
      at_ = pattern_.find_first_of(":=!>)", at_);
    }
    ++at_;
  }

  std::size_t pass_number() {
    std::size_t number = 0;
    for (; at_ < pattern_.size() && is_digit(pattern_[at_]); ++at_) {
      number = std::min<std::size_t>(10 * number + static_cast<std::size_t>(pattern_[at_] - '0'), 1'000'000);
    }
    return number;
  }

  // Passes {n}, {n,}, {,n} or {n,m} and says whether it is {n}.
  bool pass_interval() {
    const std::size_t begin = at_++;
    const std::size_t low = pass_number();
    bool digits = at_ > begin + 1;
    const bool exact = !follows(",");
    if (!exact) {
      const std::size_t comma = at_++;
      const std::size_t high = pass_number();
      const bool bounded = at_ > comma + 1;
      if (bounded && low > high) refuse("a repetition of at least more than at most");
      digits = digits || bounded;
    }
    if (!digits || !follows("}")) refuse("{ that begins no repetition such as {2} or {1,3}");
    ++at_;
    return exact;
  }

  void pass_repetition() {
    const std::size_t begin = at_;
    bool exact = false;
    if (follows("{")) {
      exact = pass_interval();
    } else {
      ++at_;
    }
    if (follows("?") && !exact) ++at_;
    if (at_ < pattern_.size() && repeats(pattern_[at_])) refuse(std::string(pattern_.substr(begin, at_ + 1 - begin)));
  }

  std::string_view pattern_;
  const std::string& what_;
  std::size_t at_ = 0;
};

}  // namespace

void check_module_pattern(const std::string& pattern, const std::string& what) {
  expect(pattern.size() <= kMaxSize, "{}: expected a regular expression of at most {} characters, found {}", what, kMaxSize,
         pattern.size());
  PatternScan(pattern, what).run();
  const Regex compiled(pattern, what);
}

}  // namespace paretofl
