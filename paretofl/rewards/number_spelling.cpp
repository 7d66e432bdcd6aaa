#include "paretofl/rewards/number_spelling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr auto kSpellings = std::to_array<Spelling>({
    {"{,}", ","},          {"\\!", ""},           {"\\$", "$"},          {"\\%", "%"},           {"\\left", ""},
    {"\\right", ""},       {"\\dfrac", "\\frac"}, {"\\tfrac", "\\frac"}, {"\\cfrac", "\\frac"},  {"\\times", "*"},
    {"\\cdot", "*"},       {"\u00d7", "*"},       {"\u2212", "-"},                         // minus sign
    {"\u2010", "-"},       {"\u2011", "-"},       {"\u2012", "-"},       {"\u2013", "-"},  // en dash
    {"\ufe63", "-"},       {"\uff0d", "-"},       {"\u00a3", "$"},       {"\u00a5", "$"},        {"\u20ac", "$"},
    {"\u20b9", "$"},       {"\uff04", "$"},       {"\u2044", "/"},       {"\u2215", "/"},        {"\u03c0", "\\pi "},
    {"\u221a", "\\sqrt "}, {"\u00b1", "\\pm "},   {"\u2213", "\\mp "},   {"\u00b0", "^\\circ "}, {"\u2070", "^0"},
    {"\u00b9", "^1"},      {"\u00b2", "^2"},      {"\u00b3", "^3"},      {"\u2074", "^4"},       {"\u2075", "^5"},
    {"\u2076", "^6"},      {"\u2077", "^7"},      {"\u2078", "^8"},      {"\u2079", "^9"},       {"\u207b", "^-"},
    {"\u00f7", "/"},       {"\\div", "/"},        {"\u2264", "\\leq "},  {"\u2265", "\\geq "},   {"\u2260", "\\neq "},
    {"\u226e", "\\neq "},  {"\u00b7", "*"},       {"\u22c5", "*"},       {"\u2217", "*"},        {"\u2715", "*"},
    {"\u2716", "*"},       {"\u2a2f", "*"},       {"\u2796", "-"},       {"&minus;", "-"},       {"&#8722;", "-"},
    {"&nbsp;", " "},       {"\\textminus", "-"},  {"\\minus", "-"},      {"\u2236", ":"},        {"\\colon", ":"},
    {"\\bmod", " mod "},   {"\\pmod", " mod "},   {"\\ast", "*"},        {"\u2032", "'"},        {"\u2019", "'"},
});

constexpr auto kFractions = std::to_array<Spelling>({
    {"\u00bc", "1/4"},
    {"\u00bd", "1/2"},
    {"\u00be", "3/4"},
    {"\u2150", "1/7"},
    {"\u2151", "1/9"},
    {"\u2152", "1/10"},
    {"\u2153", "1/3"},
    {"\u2154", "2/3"},
    {"\u2155", "1/5"},
    {"\u2156", "2/5"},
    {"\u2157", "3/5"},
    {"\u2158", "4/5"},
    {"\u2159", "1/6"},
    {"\u215a", "5/6"},
    {"\u215b", "1/8"},
    {"\u215c", "3/8"},
    {"\u215d", "5/8"},
    {"\u215e", "7/8"},
});

constexpr std::array<std::string_view, 4> kThinSpaces{"\\,", "\u00a0", "\u2009", "\u202f"};

// Zeros of scripts whose ten digits differ in their last byte alone.
constexpr std::array<std::string_view, 3> kZeros{"\u0660", "\u06f0", "\uff10"};

char digit_at(std::string_view text) {
  for (const std::string_view zero : kZeros) {
    const std::size_t last = zero.size() - 1;
    if (text.size() <= last || text.substr(0, last) != zero.substr(0, last)) continue;
    const int digit = static_cast<unsigned char>(text[last]) - static_cast<unsigned char>(zero[last]);
    if (digit >= 0 && digit <= 9) return static_cast<char>('0' + digit);
  }
  return '\0';
}

bool begins_group(std::string_view text) {
  return text.size() >= 3 && std::all_of(text.begin(), text.begin() + 3, is_digit) && (text.size() == 3 || !is_digit(text[3]));
}

template <typename List>
auto spelling_at(const List& list, std::string_view text) {
  return std::find_if(list.begin(), list.end(), [&](const Spelling& entry) {
    if (!text.starts_with(entry.first)) return false;
    const bool word = entry.first.front() == '\\' && is_letter(entry.first.back());
    return !word || text.size() == entry.first.size() || !is_letter(text[entry.first.size()]);
  });
}

}  // namespace

std::string one_spelling(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto unsigned_first = static_cast<unsigned char>(text.front());
    if (unsigned_first < 0x80 && text.front() != '\\' && text.front() != '{' && text.front() != '&') {
      result += text.front();
      text.remove_prefix(1);
      continue;
    }
    const bool behind_digit = !result.empty() && is_digit(result.back());
    const auto thin = std::find_if(kThinSpaces.begin(), kThinSpaces.end(), [&](std::string_view space) { return text.starts_with(space); });
    if (thin != kThinSpaces.end()) {
      text.remove_prefix(thin->size());
      result += behind_digit && begins_group(text) ? ',' : ' ';
    } else if (const auto spelling = spelling_at(kSpellings, text); spelling != kSpellings.end()) {
      // Of several superscripts in a row the first alone raises.
      const bool raised = spelling->second.size() == 2 && spelling->second.front() == '^';
      const bool goes_on =
          raised && result.size() >= 2 && (is_digit(result.back()) || result.back() == '-') && result[result.size() - 2] == '^';
      result += goes_on ? spelling->second.substr(1) : spelling->second;
      text.remove_prefix(spelling->first.size());
    } else if (const auto fraction = spelling_at(kFractions, text); fraction != kFractions.end()) {
      if (behind_digit) result += ' ';
      result += fraction->second;
      text.remove_prefix(fraction->first.size());
    } else if (const char digit = digit_at(text); digit != '\0') {
      result += digit;
      text.remove_prefix(2);
      while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xc0) == 0x80) text.remove_prefix(1);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace paretofl
