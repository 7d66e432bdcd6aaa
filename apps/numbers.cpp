#include "apps/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>

#include "paretofl/core/printable.h"

namespace paretofl {

CLI::Validator whole_number() {
  return {[](std::string& text) -> std::string {
            const char* const end = text.data() + text.size();
            std::int64_t number = 0;
            const bool plus = text.starts_with('+') && !text.starts_with("+-");
            const auto [rest, error] = std::from_chars(text.data() + (plus ? 1 : 0), end, number);
            if (rest != end || error != std::errc()) return fmt::format("expected a whole number, found '{}'", printable(text));
            text = fmt::format("{}", number);
            return {};
          },
          ""};
}

CLI::Validator real_number() {
  return {[](const std::string& text) -> std::string { return text.empty() ? "expected a number, found an empty text" : ""; }, ""};
}

}  // namespace paretofl
