#include "paretofl/mathematics/math_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

using Meaning = std::pair<std::string_view, std::string_view>;

constexpr auto kCommands = std::to_array<Meaning>({
    {"lt", "<"},
    {"gt", ">"},
    {"dfrac", "\\frac"},
    {"tfrac", "\\frac"},
    {"cfrac", "\\frac"},
    {"sfrac", "\\frac"},
    {"nicefrac", "\\frac"},
    {"therefore", ""},
    {"dbinom", "\\binom"},
    {"tbinom", "\\binom"},
    {"times", "*"},
    {"cdot", "*"},
    {"ast", "*"},
    {"div", "/"},
    {"le", "\\leq"},
    {"leqslant", "\\leq"},
    {"ge", "\\geq"},
    {"geqslant", "\\geq"},
    {"ne", "\\neq"},
    {"lbrace", "\\{"},
    {"rbrace", "\\}"},
    {"lbrack", "["},
    {"rbrack", "]"},
    {"vert", "|"},
    {"colon", ":"},
    {"varnothing", "\\emptyset"},
    {"backslash", "\\setminus"},
    {"smallsetminus", "\\setminus"},
    {"land", "\\land"},
    {"lor", "\\lor"},
    {"lnot", "\\neg"},
    {"to", "\\rightarrow"},
    {"longrightarrow", "\\rightarrow"},
    {"Rightarrow", "\\implies"},
    {"Longrightarrow", "\\implies"},
    {"Leftrightarrow", "\\iff"},
    {"Longleftrightarrow", "\\iff"},
    {"mod", "\\pmod"},
    {"bmod", "\\pmod"},
    {"wedge", "\\land"},
    {"vee", "\\lor"},
    {"degree", "#degree"},
    {"pounds", "#pound"},
    {"euro", "#euro"},
    {"yen", "#yen"},
    {"rupee", "#rupee"},
    {"cent", "#cent"},
    {"left", ""},
    {"right", ""},
    {"middle", ""},
    {"big", ""},
    {"Big", ""},
    {"bigg", ""},
    {"Bigg", ""},
    {"bigl", ""},
    {"bigr", ""},
    {"Bigl", ""},
    {"Bigr", ""},
    {"biggl", ""},
    {"biggr", ""},
    {"Biggl", ""},
    {"Biggr", ""},
    {"displaystyle", ""},
    {"textstyle", ""},
    {"limits", ""},
    {"quad", " "},
    {"qquad", " "},
    {"thinspace", " "},
    {"enspace", " "},
    {"space", " "},
    {"newline", " "},
    {"dots", "\\ldots"},
    {"cdots", "\\ldots"},
    {"dotsc", "\\ldots"},
    {"dotsb", "\\ldots"},
    {"dotso", "\\ldots"},
});

constexpr auto kWords = std::to_array<Meaning>({
    {"times", "*"},          {"and", "\\and"},       {"or", "\\or"},     {"pi", "\\pi"},       {"sqrt", "\\sqrt"},
    {"infinity", "\\infty"}, {"infty", "\\infty"},   {"inf", "\\infty"}, {"union", "\\cup"},   {"sin", "\\sin"},
    {"cos", "\\cos"},        {"tan", "\\tan"},       {"cot", "\\cot"},   {"sec", "\\sec"},     {"csc", "\\csc"},
    {"log", "\\log"},        {"ln", "\\ln"},         {"lg", "\\lg"},     {"exp", "\\exp"},     {"arcsin", "\\arcsin"},
    {"arccos", "\\arccos"},  {"arctan", "\\arctan"}, {"sinh", "\\sinh"}, {"cosh", "\\cosh"},   {"tanh", "\\tanh"},
    {"cis", "\\cis"},        {"gcd", "\\gcd"},       {"lcm", "\\lcm"},   {"max", "\\max"},     {"min", "\\min"},
    {"floor", "\\floor"},    {"ceil", "\\ceil"},     {"abs", "\\abs"},   {"alpha", "\\alpha"}, {"beta", "\\beta"},
    {"theta", "\\theta"},    {"lambda", "\\lambda"}, {"mod", "\\pmod"},  {"to", "to"},
});

constexpr auto kSymbols = std::to_array<Meaning>({
    {"\u2212", "-"},
    {"\u2013", "-"},
    {"\u00d7", "*"},
    {"\u00b7", "*"},
    {"\u22c5", "*"},
    {"\u00f7", "/"},
    {"\u2044", "/"},
    {"\u03c0", "\\pi "},
    {"\u221a", "\\sqrt "},
    {"\u221e", "\\infty "},
    {"\u222a", "\\cup "},
    {"\u2229", "\\cap "},
    {"\u2208", "\\in "},
    {"\u2264", "\\leq "},
    {"\u2265", "\\geq "},
    {"\u2260", "\\neq "},
    {"\u2248", "\\approx "},
    {"\u00b1", "\\pm "},
    {"\u2213", "\\mp "},
    {"\u00b0", "^\\circ "},
    {"\u207b", "^{-}"},
    {"\u2070", "^{0}"},
    {"\u00b9", "^{1}"},
    {"\u00b2", "^{2}"},
    {"\u00b3", "^{3}"},
    {"\u2074", "^{4}"},
    {"\u2075", "^{5}"},
    {"\u2076", "^{6}"},
    {"\u2077", "^{7}"},
    {"\u2078", "^{8}"},
    {"\u2079", "^{9}"},
    {"\u2080", "_{0}"},
    {"\u2081", "_{1}"},
    {"\u2082", "_{2}"},
    {"\u2083", "_{3}"},
    {"\u2084", "_{4}"},
    {"\u2085", "_{5}"},
    {"\u2086", "_{6}"},
    {"\u2087", "_{7}"},
    {"\u2088", "_{8}"},
    {"\u2089", "_{9}"},
    {"\u03b1", "\\alpha "},
    {"\u03b2", "\\beta "},
    {"\u03b8", "\\theta "},
    {"\u03bb", "\\lambda "},
    {"\u2205", "\\emptyset "},
    {"\u00f8", "\\emptyset "},
    {"\u211d", "\\mathbb{R}"},
    {"\u230a", "\\lfloor "},
    {"\u230b", "\\rfloor "},
    {"\u2308", "\\lceil "},
    {"\u2309", "\\rceil "},
    {"\u00bd", "\\frac12 "},
    {"\u2153", "\\frac13 "},
    {"\u2154", "\\frac23 "},
    {"\u00bc", "\\frac14 "},
    {"\u00be", "\\frac34 "},
    {"\u2155", "\\frac15 "},
    {"\u2156", "\\frac25 "},
    {"\u2157", "\\frac35 "},
    {"\u2158", "\\frac45 "},
    {"\u2159", "\\frac16 "},
    {"\u215a", "\\frac56 "},
    {"\u2150", "\\frac17 "},
    {"\u215b", "\\frac18 "},
    {"\u215c", "\\frac38 "},
    {"\u215d", "\\frac58 "},
    {"\u215e", "\\frac78 "},
    {"\u2151", "\\frac19 "},
    {"\u2152", "\\frac1{10}"},
    {"\u20ac", "\\euro "},
    {"\u00a3", "\\pounds "},
    {"\u00a5", "\\yen "},
    {"\u00a2", "\\cent "},
    {"\u20b9", "\\rupee "},
    {"\u2227", "\\land "},
    {"\u2228", "\\lor "},
    {"\u00ac", "\\neg "},
    {"\u2192", "\\rightarrow "},
    {"\u21d2", "\\implies "},
    {"\u21d4", "\\iff "},
    {"\u2261", "\\equiv "},
    {"\u2026", "\\ldots "},
    {"\u00a0", " "},
    {"\u2009", " "},
    {"\u202f", " "},
});

constexpr auto kTextCommands =
    std::to_array<std::string_view>({"text", "mbox", "hbox", "textbf", "textit", "textrm", "textnormal", "textsf", "texttt", "textsc",
                                     "textsl", "textup", "textmd", "emph", "mathrm", "operatorname"});
constexpr auto kFontCommands = std::to_array<std::string_view>(
    {"boldsymbol", "mathbf", "mathit", "mathsf", "bm",   "mathtt",      "mathnormal",        "pmb",          "underline", "bf",
     "rm",         "it",     "tt",     "sf",     "em",   "tiny",        "scriptsize",        "footnotesize", "small",     "normalsize",
     "large",      "Large",  "LARGE",  "huge",   "Huge", "scriptstyle", "scriptscriptstyle", "bfseries",     "itshape"});
constexpr auto kLayoutCommands =
    std::to_array<std::string_view>({"hspace", "vspace", "phantom", "hphantom", "vphantom", "color", "textcolor", "label"});
constexpr auto kAlphabetCommands = std::to_array<std::string_view>({"mathbb", "mathcal", "mathfrak", "mathscr"});

constexpr auto kLetters = std::to_array<std::string_view>(
    {"\\alpha", "\\beta",   "\\gamma",  "\\delta", "\\epsilon", "\\varepsilon", "\\zeta",  "\\eta",     "\\theta",
     "\\iota",  "\\kappa",  "\\lambda", "\\mu",    "\\nu",      "\\xi",         "\\rho",   "\\sigma",   "\\tau",
     "\\phi",   "\\varphi", "\\chi",    "\\psi",   "\\omega",   "\\Gamma",      "\\Delta", "\\Theta",   "\\Lambda",
     "\\Phi",   "\\Psi",    "\\Omega",  "\\ell",   "\\hbar",    "\\upsilon",    "\\Xi",    "\\vartheta"});

constexpr auto kAccents = std::to_array<std::string_view>(
    {"\\vec", "\\hat", "\\bar", "\\overline", "\\tilde", "\\widehat", "\\widetilde", "\\overrightarrow", "\\overleftrightarrow", "\\dot"});

constexpr auto kFunctions = std::to_array<std::string_view>(
    {"\\sin",    "\\cos",  "\\tan",  "\\cot",  "\\sec", "\\csc", "\\log", "\\ln",  "\\lg",  "\\exp",   "\\arcsin", "\\arccos",
     "\\arctan", "\\sinh", "\\cosh", "\\tanh", "\\cis", "\\gcd", "\\lcm", "\\max", "\\min", "\\floor", "\\ceil",   "\\abs"});

constexpr auto kNumberWords = std::to_array<Meaning>({{"dozen", "12"},
                                                      {"hundred", "100"},
                                                      {"thousand", "1000"},
                                                      {"million", "1000000"},
                                                      {"billion", "1000000000"},
                                                      {"trillion", "1000000000000"}});

template <std::size_t Size>
std::optional<std::string_view> meaning_in(const std::array<Meaning, Size>& table, std::string_view spelling) {
  const auto* const found = std::find_if(table.begin(), table.end(), [spelling](const Meaning& entry) { return entry.first == spelling; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& table, std::string_view word) {
  return std::find(table.begin(), table.end(), word) != table.end();
}

// What stands for full-width signs, digits and letters, and for the digits of Arabic and Persian.
std::optional<std::string_view> ascii_form(std::string_view character) {
  static constexpr std::string_view kSigns =
      "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[ ]^_`abcdefghijklmnopqrstuvwxyz{|}~";  // no backslash
  static constexpr std::size_t kFirstDigit = 15;
  if (character.size() < 2) return std::nullopt;
  const char32_t code = code_point(character);
  if (code == 0x3001) return kSigns.substr(11, 1);  // the comma of lists
  if (code == 0x3002) return kSigns.substr(13, 1);
  for (const char32_t zero : {0x0660U, 0x06f0U}) {
    if (code >= zero && code <= zero + 9) return kSigns.substr(kFirstDigit + code - zero, 1);
  }
  if (code < 0xff01 || code > 0xff5e) return std::nullopt;
  return kSigns.substr(code - 0xff01, 1);
}

}  // namespace

std::optional<std::string_view> math_command(std::string_view name) { return meaning_in(kCommands, name); }
std::optional<std::string_view> math_word(std::string_view word) { return meaning_in(kWords, word); }
std::optional<std::string_view> math_symbol(std::string_view character) {
  if (const auto meaning = meaning_in(kSymbols, character)) return meaning;
  return ascii_form(character);
}
std::optional<std::string_view> number_word(std::string_view word) { return meaning_in(kNumberWords, word); }

bool is_text_command(std::string_view name) { return contains(kTextCommands, name); }
bool is_font_command(std::string_view name) { return contains(kFontCommands, name); }
bool is_layout_command(std::string_view name) { return contains(kLayoutCommands, name); }
bool is_alphabet_command(std::string_view name) { return contains(kAlphabetCommands, name); }
bool is_variable(std::string_view token) {
  const bool letter = token.size() == 1 && ((token[0] >= 'a' && token[0] <= 'z') || (token[0] >= 'A' && token[0] <= 'Z'));
  return letter || contains(kLetters, token);
}
bool is_accent_command(std::string_view token) { return contains(kAccents, token); }
bool is_function_command(std::string_view token) { return contains(kFunctions, token); }

bool is_matrix(std::string_view environment) {
  return environment == "{pmatrix}" || environment == "{bmatrix}" || environment == "{matrix}" || environment == "{smallmatrix}" ||
         environment == "{array}";
}

}  // namespace paretofl
