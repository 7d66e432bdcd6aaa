#include "paretofl/rewards/math_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace paretofl {
namespace {

using Meaning = std::pair<std::string_view, std::string_view>;

constexpr std::array<Meaning, 43> kCommands{{
    {"lt", "<"},       {"gt", ">"},       {"dfrac", "\\frac"}, {"tfrac", "\\frac"}, {"cfrac", "\\frac"},  {"times", "*"},
    {"cdot", "*"},     {"ast", "*"},      {"div", "/"},        {"le", "\\leq"},     {"ge", "\\geq"},      {"ne", "\\neq"},
    {"lbrace", "\\{"}, {"rbrace", "\\}"}, {"lbrack", "["},     {"rbrack", "]"},     {"colon", ":"},       {"varnothing", "\\emptyset"},
    {"degree", ""},    {"left", ""},      {"right", ""},       {"middle", ""},      {"big", ""},          {"Big", ""},
    {"bigg", ""},      {"Bigg", ""},      {"bigl", ""},        {"bigr", ""},        {"Bigl", ""},         {"Bigr", ""},
    {"biggl", ""},     {"biggr", ""},     {"Biggl", ""},       {"Biggr", ""},       {"displaystyle", ""}, {"textstyle", ""},
    {"limits", ""},    {"quad", " "},     {"qquad", " "},      {"thinspace", " "},  {"enspace", " "},     {"space", " "},
    {"newline", " "},
}};

constexpr std::array<Meaning, 15> kWords{{
    {"and", ","},
    {"or", ","},
    {"pi", "\\pi"},
    {"sqrt", "\\sqrt"},
    {"infinity", "\\infty"},
    {"inf", "\\infty"},
    {"union", "\\cup"},
    {"sin", "\\sin"},
    {"cos", "\\cos"},
    {"tan", "\\tan"},
    {"cot", "\\cot"},
    {"sec", "\\sec"},
    {"csc", "\\csc"},
    {"log", "\\log"},
    {"ln", "\\ln"},
}};

constexpr std::array<Meaning, 22> kSymbols{{
    {"\u2212", "-"},       {"\u2013", "-"},      {"\u00d7", "*"},       {"\u00b7", "*"},     {"\u22c5", "*"},    {"\u00f7", "/"},
    {"\u03c0", "\\pi"},    {"\u221a", "\\sqrt"}, {"\u221e", "\\infty"}, {"\u222a", "\\cup"}, {"\u2208", "\\in"}, {"\u2264", "\\leq"},
    {"\u2265", "\\geq"},   {"\u2260", "\\neq"},  {"\u00b1", "\\pm"},    {"\u00b0", ""},      {"\u00b2", "^2"},   {"\u00b3", "^3"},
    {"\u03b8", "\\theta"}, {"\u00a0", " "},      {"\u2009", " "},       {"\u202f", " "},
}};

constexpr std::array<std::string_view, 13> kTextCommands{"boldsymbol", "text",   "mbox",   "hbox",   "textbf", "textit",      "textrm",
                                                         "textnormal", "mathrm", "mathbf", "mathit", "mathsf", "operatorname"};

constexpr std::array<std::string_view, 31> kShortUnits{"mm",   "cm",   "km",   "kg",     "mg",    "ml",  "mL",  "ft",  "yd", "mi",  "oz",
                                                       "lb",   "lbs",  "hr",   "hrs",    "min",   "sec", "mph", "kph", "gm", "day", "days",
                                                       "inch", "feet", "foot", "square", "cubic", "sq",  "per", "way", "pct"};

constexpr std::array<std::string_view, 24> kGreek{"\\alpha",  "\\beta", "\\gamma", "\\delta", "\\epsilon", "\\varepsilon",
                                                  "\\zeta",   "\\eta",  "\\theta", "\\kappa", "\\lambda",  "\\mu",
                                                  "\\nu",     "\\xi",   "\\rho",   "\\sigma", "\\tau",     "\\phi",
                                                  "\\varphi", "\\chi",  "\\psi",   "\\omega", "\\Delta",   "\\Omega"};

template <std::size_t Size>
std::optional<std::string_view> meaning_in(const std::array<Meaning, Size>& table, std::string_view spelling) {
  const auto* const found = std::find_if(table.begin(), table.end(), [spelling](const Meaning& entry) { return entry.first == spelling; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& table, std::string_view word) {
  return std::find(table.begin(), table.end(), word) != table.end();
}

}  // namespace

std::optional<std::string_view> math_command(std::string_view name) { return meaning_in(kCommands, name); }
std::optional<std::string_view> math_word(std::string_view word) { return meaning_in(kWords, word); }
std::optional<std::string_view> math_symbol(std::string_view character) { return meaning_in(kSymbols, character); }

bool is_text_command(std::string_view name) { return contains(kTextCommands, name); }

bool is_matrix(std::string_view environment) {
  return environment == "{pmatrix}" || environment == "{bmatrix}" || environment == "{matrix}" || environment == "{smallmatrix}" ||
         environment == "{array}";
}

bool is_short_unit(std::string_view word) { return contains(kShortUnits, word); }

bool is_variable(std::string_view token) {
  const bool letter = token.size() == 1 && ((token[0] >= 'a' && token[0] <= 'z') || (token[0] >= 'A' && token[0] <= 'Z'));
  return letter || contains(kGreek, token);
}

}  // namespace paretofl
