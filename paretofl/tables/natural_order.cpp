#include "paretofl/tables/natural_order.h"

#include <algorithm>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

/// Takes the digits that a text begins with, without leading zeros.
std::string_view take_number(std::string_view& text) {
  const std::size_t end = digits_of(text);
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::string_view left = a;
  std::string_view right = b;
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const std::string_view x = take_number(left);
      const std::string_view y = take_number(right);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (left.front() != right.front()) return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
    left.remove_prefix(1);
    right.remove_prefix(1);
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

}  // namespace paretofl
