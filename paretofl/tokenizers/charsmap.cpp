#include "paretofl/tokenizers/charsmap.h"

#include <cstring>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// A unit of the double array.
bool has_leaf(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }
std::uint32_t value(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t label(std::uint32_t unit) { return unit & 0x800000FFU; }
std::uint32_t offset(std::uint32_t unit) { return unit >> 10U << ((unit & 0x200U) >> 6U); }

}  // namespace

Charsmap::Charsmap(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) return;
  std::uint32_t size = 0;
  expect(bytes.size() >= sizeof size, "{}: expected a map of characters, found {} bytes", where, bytes.size());
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  expect(size > 0 && size % 4 == 0 && size <= bytes.size(), "{}: expected a trie of 4 to {} bytes, in fours, found {}", where, bytes.size(),
         size);
  units_.resize(size / 4);
  std::memcpy(units_.data(), bytes.data(), size);
  replacements_ = bytes.substr(size);
}

std::optional<CharsmapRule> Charsmap::find(std::string_view text, bool shortest) const {
  std::optional<CharsmapRule> found;
  if (units_.empty()) return found;
  std::size_t node = offset(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || label(units_[node]) != byte) break;
    const std::uint32_t unit = units_[node];
    node ^= offset(unit);
    if (!has_leaf(unit) || node >= units_.size()) continue;
    const std::size_t start = value(units_[node]);
    if (start >= replacements_.size()) continue;
    found = {.size = i + 1, .replacement = replacements_.c_str() + start};
    if (shortest) break;
  }
  return found;
}

}  // namespace paretofl
