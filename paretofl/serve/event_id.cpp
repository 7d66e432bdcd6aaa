#include "paretofl/serve/event_id.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace paretofl {
namespace {

constexpr std::size_t kDigestDigits = 16;

/// All of the text as one unsigned number.
std::optional<std::uint64_t> unsigned_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

EventId EventId::next(std::string_view row) const { return {rows + 1, XXH3_64bits_withSeed(row.data(), row.size(), digest + rows)}; }

std::string EventId::text() const { return fmt::format("{}-{:016x}", rows, digest); }

std::optional<EventId> EventId::parse(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || text.size() != dash + 1 + kDigestDigits) return std::nullopt;
  const auto rows = unsigned_number(text.substr(0, dash), 10), digest = unsigned_number(text.substr(dash + 1), 16);
  if (!rows || !digest) return std::nullopt;
  const EventId id{*rows, *digest};
  if (id.text() != text || (id.rows == 0 && id.digest != 0)) return std::nullopt;
  return id;
}

}  // namespace paretofl
