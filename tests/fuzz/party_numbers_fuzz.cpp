#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/parties/number_file.h"
#include "paretofl/parties/preference_file.h"

namespace {

template <class Call>
void expect_error_or_done(const Call& call) {
  try {
    call();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

}  // namespace

// Any text is either arrays of the shapes asked for, finite, or an Error of one line; the same of a preference.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_error_or_done([&] {
    const paretofl::NumberArray shapes[] = {{"transitions", {2, 1, 2}, {}}, {"rewards", {2, 1, 3}, {}}};
    const auto arrays = paretofl::parse_numbers(text, "input", shapes);
    if (arrays.size() != 2 || arrays[0].size() != 4 || arrays[1].size() != 6) std::abort();
    for (const double number : arrays[1]) {
      if (!std::isfinite(number)) std::abort();
    }
  });
  expect_error_or_done([&] {
    const paretofl::Preference preference = paretofl::parse_preference(text, "input", 3);
    double sum = 0;
    for (const double weight : preference.weights()) sum += weight;
    if (preference.size() != 3 || std::abs(sum - 1) > 1e-6) std::abort();
  });
  return 0;
}
