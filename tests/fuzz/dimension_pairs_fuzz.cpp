#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/text/dimension_pairs.h"

namespace {

/// Any text is either pairs with a prompt each or an Error of one line that names the text.
void expect_pairs(std::string_view text, const paretofl::PairFields& fields) {
  try {
    const auto pairs = paretofl::parse_dimension_pairs(text, "fuzz", fields);
    if (pairs.empty()) std::abort();
    for (const paretofl::DimensionPair& pair : pairs) {
      if (!std::isfinite(pair.offset)) std::abort();
      if (pair.prompt.empty() || (pair.dialogue && !pair.prompt.ends_with("\n\nAssistant:"))) std::abort();
    }
  } catch (const paretofl::Error& error) {
    const std::string_view message = error.what();
    if (message.find('\n') != std::string_view::npos || !message.starts_with("fuzz")) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_pairs(text, {});
  expect_pairs(
      text,
      {.prompt = "row.prompt", .chosen = "row.chosen", .rejected = "row.rejected", .dimension = "row.dimension", .offset = "row.offset"});
  return 0;
}
