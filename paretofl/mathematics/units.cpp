#include "paretofl/mathematics/units.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

// For every unit its name, and other words and signs for it. Plurals in -s, -es and -ies need no mention.
constexpr std::string_view kUnits =
    "meter m metre; centimeter cm centimetre; millimeter mm millimetre; kilometer km kilometre; decimeter dm; micrometer; "
    "nanometer nm; inch in; foot ft feet; yard yd yds; mile mi; gram g gm gms gramme; kilogram kg kgs kilo; milligram mg; ton "
    "tonne; ounce oz; pound lb lbs; second s sec secs; minute min mins; hour h hr hrs; millisecond ms; day; week; month; year yr "
    "yrs; decade; century centuries; liter L l litre; milliliter ml mL millilitre; gallon gal; quart qt; pint; cup; teaspoon tsp; "
    "tablespoon tbsp; acre; hectare ha; newton N; joule J; kilojoule kJ; watt W; kilowatt kW; volt V; ampere; ohm; hertz Hz; "
    "pascal Pa; mole mol; calorie cal; kilocalorie kcal; byte; bit; kilobyte kB; megabyte MB; gigabyte GB; radian rad rads; rpm; "
    "knot; dollar USD; cent; euro EUR; penny pennies; rupee; yen; peso; yuan; buck; percent pct percentage; degree deg degs; celsius C; "
    "fahrenheit F; kelvin K";

// What is counted: singulars, and plurals and other words for them after a sign of equality.
constexpr std::string_view kCounted =
    "way digit integer number multiple divisor factor prime solution root value term pair triple subset set element function "
    "polynomial zero side edge vertex vertices=vertex face angle triangle rectangle square circle cube polygon diagonal line "
    "segment lattice intersection region path step move arrangement permutation combination choice possibility outcome sequence "
    "string code word letter page book student teacher person people=person persons=person child children=child man men=man woman "
    "women=woman boy girl member player team game match round committee group class seat chair table row column ticket vote apple "
    "orange banana pear peach lemon grape cherry cherries=cherry fruit egg cookie cake pie pizza slice piece candy candies=candy "
    "chocolate sandwich meal dish plate bowl glass bottle can bag box basket jar ball marble block tile brick card deck die "
    "dice=die chip token bead button balloon toy doll pencil pen crayon marker eraser notebook paper sheet stamp sticker envelope "
    "photo picture=photo flower rose tree plant seed leaf leaves=leaf bush cow horse pig sheep goat chicken duck dog cat bird fish "
    "rabbit mouse mice=mouse animal bee ant car truck bus bike bicycle=bike train plane boat ship wheel tire shirt shoe sock hat "
    "dress coat glove house room door window floor stair store shop school city cities=city town country countries=country problem "
    "question test quiz quizzes=quiz song movie episode lap trip hit goal shot run event job worker employee=worker customer guest "
    "friend family families=family brother sister cousin adult kid=child passenger driver soldier knight handshake key lock switch "
    "light lamp battery batteries=battery phone computer machine tool nail screw rope ribbon stick stone rock=stone shell star "
    "planet cell atom molecule particle painting poster flag medal prize gift present=gift package item object thing bill share "
    "loaf loaves=loaf pancake muffin donut burger carrot potato tomato onion bean nut vegetable gumball jellybean license tourist "
    "scout camper swimmer runner racer dancer singer musician dap nickel dime coin unit point pt=point pts=point old";

// Words for whatever is counted, beside which any other may stand: 20 ways are 20 choices.
constexpr auto kAnyThing = std::to_array<std::string_view>({"way",         "digit",       "integer",     "number", "solution",    "value",
                                                            "arrangement", "permutation", "combination", "choice", "possibility", "outcome",
                                                            "unit",        "sequence",    "string",      "person", "piece",       "item",
                                                            "object",      "thing",       "prize",       "event",  "old"});

// Between a number and what is counted.
constexpr auto kAdjectives =
    std::to_array<std::string_view>({"different", "distinct", "possible", "total", "more", "right", "full", "whole"});

// Units of two letters that stand as such in plain text; any other pair of letters is a product there.
constexpr auto kPlainPairs = std::to_array<std::string_view>(
    {"cm", "mm", "km", "kg", "mg", "gm", "lb", "ft", "yd", "mi", "oz", "hr", "ml", "mL", "kJ", "kW", "Hz", "kB", "MB", "GB", "pt"});

// Words for the power that the next unit has, or the last one.
constexpr auto kPowers = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"square", "2"}, {"sq", "2"}, {"cubic", "3"}, {"cu", "3"}, {"squared", "2"}, {"cubed", "3"}});

// Powers behind a unit.
constexpr auto kRaised = std::to_array<std::pair<std::string_view, std::string_view>>({{"^2", "2"},
                                                                                       {"^{2}", "2"},
                                                                                       {"$^2$", "2"},
                                                                                       {"$^{2}$", "2"},
                                                                                       {"\u00b2", "2"},
                                                                                       {"^3", "3"},
                                                                                       {"^{3}", "3"},
                                                                                       {"$^3$", "3"},
                                                                                       {"$^{3}$", "3"},
                                                                                       {"\u00b3", "3"},
                                                                                       {"^{-1}", "-1"},
                                                                                       {"^{-2}", "-2"},
                                                                                       {"^{-3}", "-3"}});

// Units of speed that are one word.
constexpr auto kRates = std::to_array<std::array<std::string_view, 3>>({{"mph", "mile", "hour"},
                                                                        {"kph", "kilometer", "hour"},
                                                                        {"kmh", "kilometer", "hour"},
                                                                        {"kmph", "kilometer", "hour"},
                                                                        {"fps", "foot", "second"},
                                                                        {"mpg", "mile", "gallon"}});

// Units with one letter, in plain text.
constexpr auto kPlainRates = std::to_array<std::array<std::string_view, 3>>({{"m/s", "meter", "second"},
                                                                             {"km/h", "kilometer", "hour"},
                                                                             {"km/s", "kilometer", "second"},
                                                                             {"cm/s", "centimeter", "second"},
                                                                             {"ft/s", "foot", "second"},
                                                                             {"mi/h", "mile", "hour"},
                                                                             {"g/mol", "gram", "mole"},
                                                                             {"g/L", "gram", "liter"},
                                                                             {"J/s", "joule", "second"},
                                                                             {"N/m", "newton", "meter"}});

using Names = std::unordered_map<std::string, std::string>;

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  }
  return parts;
}

const Names& names() {
  static const Names kNames = [] {
    Names names;
    for (const std::string_view unit : split(kUnits, "; ")) {
      const std::vector<std::string_view> words = split(unit, " ");
      for (const std::string_view word : words) names.emplace(word, "#" + std::string(words.front()));
    }
    for (const std::string_view word : split(kCounted, " ")) {
      const std::vector<std::string_view> spelling = split(word, "=");
      names.emplace(spelling.front(), std::string(kCountedUnit) + " " + std::string(spelling.back()));
    }
    return names;
  }();
  return kNames;
}

std::optional<std::string_view> found(const std::string& word) {
  const auto name = names().find(word);
  return name == names().end() ? std::nullopt : std::optional<std::string_view>(name->second);
}

// Reads a phrase; what is not the list's words ends it.
class PhraseReader {
 public:
  PhraseReader(std::string_view text, bool upright) : text_(text), upright_(upright) {}

  UnitPhrase phrase() {
    for (const auto& [spelling, above, below] : kPlainRates) {
      if (upright_ || !text_.starts_with(spelling) || (text_.size() > spelling.size() && is_letter(text_[spelling.size()]))) continue;
      push(*found(std::string(above)), {}, false);
      push(*found(std::string(below)), {}, true);
      phrase_.size = spelling.size();
      return std::move(phrase_);
    }
    skip_blanks();
    bool divides = take("per ") || (upright_ && take("/"));
    if (!divides) skip_adjectives();
    while (unit(divides)) {
      phrase_.size = at_;
      skip_blanks();
      divides = take("/") || take("per ");
      if (!divides) skip_blanks();
    }
    return std::move(phrase_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  bool take(std::string_view part) {
    if (!rest().starts_with(part)) return false;
    at_ += part.size();
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (rest().starts_with("\\,") || rest().starts_with("\\ ") || rest().starts_with("\\;"))
        ++at_;
      else if (std::string_view(" \t\r\n.~").find(text_[at_]) == std::string_view::npos)
        return;
      ++at_;
    }
  }
  std::string_view word() {
    skip_blanks();
    const auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), is_letter);
    return text_.substr(at_, static_cast<std::size_t>(end - text_.begin()) - at_);
  }
  void skip_adjectives() {
    while (std::find(kAdjectives.begin(), kAdjectives.end(), word()) != kAdjectives.end()) at_ += word().size();
  }

  static std::optional<std::string_view> power_word(std::string_view word) {
    const auto* const power = std::find_if(kPowers.begin(), kPowers.end(), [word](const auto& entry) { return entry.first == word; });
    return power == kPowers.end() ? std::nullopt : std::optional(power->second);
  }

  void push(std::string_view unit, std::optional<std::string_view> power, bool divides) {
    if (divides) phrase_.tokens.emplace_back("/");
    phrase_.tokens.push_back(unit);
    if (!power) return;
    phrase_.tokens.emplace_back("^");
    if (power->starts_with('-')) {
      phrase_.tokens.emplace_back("-");
      power->remove_prefix(1);
    }
    phrase_.tokens.push_back(*power);
  }

  bool unit(bool divides) {
    const std::size_t begin = at_;
    std::string_view name = word();
    at_ += name.size();
    std::optional<std::string_view> power;
    if (!name.ends_with("ed")) power = power_word(name);
    if (power) {
      name = word();
      at_ += name.size();
    }
    const auto* const rate = std::find_if(kRates.begin(), kRates.end(), [name](const auto& entry) { return entry[0] == name; });
    if (rate != kRates.end() && !power && !divides) {
      push(*found(std::string((*rate)[1])), {}, false);
      push(*found(std::string((*rate)[2])), {}, true);
      return true;
    }
    const bool inches = name == "in" && text_.find_first_not_of(" .", at_) == std::string_view::npos;
    std::optional<std::string_view> unit = unit_name(name, upright_ || inches);
    if (!unit && power) {  // 4 squares
      at_ = begin;
      name = word();
      at_ += name.size();
      power.reset();
      unit = unit_name(name, upright_);
    }
    if (!unit) {
      at_ = begin;
      return false;
    }
    if (!power) power = power_behind();
    push(*unit, power, divides);
    return true;
  }

  std::optional<std::string_view> power_behind() {
    for (const auto& [spelling, power] : kRaised) {
      if (take(spelling)) return power;
    }
    const std::size_t end = at_;
    const std::string_view after = word();
    if (const auto power = power_word(after); power && after.ends_with("ed")) {
      at_ += after.size();
      return power;
    }
    at_ = end;
    return std::nullopt;
  }

  std::string_view text_;
  bool upright_;
  std::size_t at_ = 0;
  UnitPhrase phrase_;
};

}  // namespace

std::optional<std::string_view> unit_name(std::string_view word, bool upright) {
  if (word.empty()) return std::nullopt;
  if (!upright &&
      (word.size() == 1 || (word.size() == 2 && std::find(kPlainPairs.begin(), kPlainPairs.end(), word) == kPlainPairs.end()))) {
    return std::nullopt;
  }
  std::string singular(word);
  if (const auto name = found(singular)) return name;
  if (singular.size() < 3) return std::nullopt;
  std::transform(singular.begin(), singular.end(), singular.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (const auto name = found(singular)) return name;
  if (singular.size() < 4 || !singular.ends_with('s')) return std::nullopt;
  singular.pop_back();
  if (const auto name = found(singular)) return name;
  if (singular.ends_with("ie")) return found(singular.substr(0, singular.size() - 2) + "y");
  return singular.ends_with('e') ? found(singular.substr(0, singular.size() - 1)) : std::nullopt;
}

bool same_thing(std::string_view a, std::string_view b) {
  const auto is_any = [](std::string_view token) {
    const std::string_view name = token.substr(kCountedUnit.size() + 1);
    return std::find(kAnyThing.begin(), kAnyThing.end(), name) != kAnyThing.end();
  };
  return a == b || is_any(a) || is_any(b);
}

UnitPhrase unit_phrase(std::string_view text, bool upright) { return PhraseReader(text, upright).phrase(); }

}  // namespace paretofl
