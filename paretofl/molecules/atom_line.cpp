#include "paretofl/molecules/atom_line.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

Atom read_atom(const TextLines& lines, std::span<const std::string_view> words) {
  const auto known = elements();
  const auto found = std::find_if(known.begin(), known.end(), [&](const Element& element) { return element.symbol == words[0]; });
  expect(found != known.end(), "{}: expected an element H, C, N, O or F, found '{}'", lines.where(), words[0].substr(0, 10));
  return {.element = static_cast<std::uint8_t>(found - known.begin()),
          .position = {lines.real(words[1]), lines.real(words[2]), lines.real(words[3])}};
}

}  // namespace paretofl
