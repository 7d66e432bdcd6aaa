#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace paretofl {

/// Wrong answers made from a right one: its first number plus one, its sign changed, and two different neighbouring digits
/// exchanged, where there are any.
inline std::vector<std::string> changed_answers(const std::string& answer) {
  std::vector<std::string> changed;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto first = static_cast<std::size_t>(std::find_if(answer.begin(), answer.end(), is_digit) - answer.begin());
  if (first == answer.size()) return changed;
  std::size_t end = first;
  while (end < answer.size() && is_digit(answer[end])) ++end;
  if (end - first <= 18) {
    changed.push_back(answer.substr(0, first) + std::to_string(std::stoll(answer.substr(first, end - first)) + 1) + answer.substr(end));
  }
  const std::size_t number = answer.find_first_not_of("0.", first);
  const bool zero = number == std::string::npos || !is_digit(answer[number]);  // -0 is 0
  if (!zero) changed.push_back(answer.starts_with('-') ? answer.substr(1) : "-" + answer);
  for (std::size_t i = 0; i + 1 < answer.size(); ++i) {
    if (!is_digit(answer[i]) || !is_digit(answer[i + 1]) || answer[i] == answer[i + 1]) continue;
    changed.push_back(answer);
    std::swap(changed.back()[i], changed.back()[i + 1]);
    break;
  }
  return changed;
}

}  // namespace paretofl
