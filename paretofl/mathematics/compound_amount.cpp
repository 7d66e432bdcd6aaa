#include "paretofl/mathematics/compound_amount.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "paretofl/mathematics/answer_parts.h"
#include "paretofl/mathematics/math_words.h"

namespace paretofl {
namespace {

// Units of one kind, each a part of those before.
using Units = std::array<std::string_view, 7>;
constexpr auto kLadders = std::to_array<Units>({{"#year", "#month", "#week", "#day", "#hour", "#minute", "#second"},
                                                {"#mile", "#yard", "#foot", "#inch"},
                                                {"#ton", "#pound", "#ounce"},
                                                {"#kilometer", "#meter", "#decimeter", "#centimeter", "#millimeter"},
                                                {"#ton", "#kilogram", "#gram", "#milligram"},
                                                {"#gallon", "#quart", "#pint", "#cup"},
                                                {"#liter", "#milliliter"},
                                                {"#dollar", "#cent"},
                                                {"#euro", "#cent"}});

bool is_part_of(std::string_view small, std::string_view large) {
  return std::any_of(kLadders.begin(), kLadders.end(), [small, large](const Units& units) {
    const auto* const found = std::find(units.begin(), units.end(), large);
    return found != units.end() && std::find(std::next(found), units.end(), small) != units.end();
  });
}

bool is_plain_number(MathSpan tokens) {
  return !tokens.empty() && std::all_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    return token == "." || token == "\\frac" || token == "{" || token == "}" || is_digit_token(token);
  });
}

}  // namespace

std::optional<MathTokens> joined_amount(MathSpan tokens) {
  const std::vector<MathSpan> amounts = parts(tokens, {"\\and"});
  if (amounts.size() < 2) return std::nullopt;
  MathTokens joined;
  for (const MathSpan amount : amounts) {
    if (amount.empty() || !is_plain_number(amount.first(amount.size() - 1))) return std::nullopt;
    if (!joined.empty() && !is_part_of(amount.back(), joined.back())) return std::nullopt;
    joined.insert(joined.end(), amount.begin(), amount.end());
  }
  return joined;
}

}  // namespace paretofl
