#include "paretofl/tokenizers/byte_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace paretofl {

ByteTokens::ByteTokens(const Vocabulary& vocabulary) {
  for (std::size_t byte = 0; byte < ids_.size(); ++byte) ids_[byte] = vocabulary.id_of(fmt::format("<0x{:02X}>", byte));
}

bool ByteTokens::append(std::string_view bytes, TokenIds& ids) const {
  const auto id_of = [&](char byte) { return ids_[static_cast<unsigned char>(byte)]; };
  if (!std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return id_of(byte).has_value(); })) return false;
  for (const char byte : bytes) ids.push_back(*id_of(byte));
  return true;
}

std::optional<char> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  unsigned value = 0;
  const auto [end, status] = std::from_chars(token.data() + 3, token.data() + 5, value, 16);
  return status == std::errc() && end == token.data() + 5 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

}  // namespace paretofl
