#pragma once

#include <map>
#include <optional>
#include <string>

namespace paretofl {

/// Texts by name, such as a run's settings by their full keys.
using Texts = std::map<std::string, std::string, std::less<>>;

/// A name whose texts differ; "absent" where one side has none.
struct TextDifference {
  std::string name;
  std::string first;
  std::string second;
};

/// The first name, in order, of which the two have different texts.
std::optional<TextDifference> first_difference(const Texts& first, const Texts& second);

/// 32 hexadecimal digits that depend on all names and texts.
std::string digest(const Texts& texts);

}  // namespace paretofl
