#include "paretofl/tokenizers/clean_up_spaces.h"

#include <array>
#include <string_view>
#include <utility>

#include "paretofl/text/text_pattern.h"

namespace paretofl {

std::string clean_up_spaces(std::string text) {
  using Rule = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Rule, 10> kRules = {Rule{" .", "."}, {" ?", "?"},   {" !", "!"},   {" ,", ","},     {" ' ", "'"},
                                           {" n't", "n't"}, {" 'm", "'m"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kRules) text = replaced(text, TextPattern(std::string(from)), to);
  return text;
}

}  // namespace paretofl
