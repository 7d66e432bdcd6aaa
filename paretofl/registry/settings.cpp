#include "paretofl/registry/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace paretofl {
namespace {

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

// The shortest text that reads back as the same double and as a real, not an integer.
std::string real_text(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

struct ToText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return real_text(value); }
  std::string operator()(const std::string& value) const { return toml_text(value); }
  std::string operator()(const std::vector<double>& values) const {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(real_text(value));
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }
  std::string operator()(const std::vector<std::string>& values) const {
    std::vector<std::string> texts;
    for (const std::string& value : values) texts.push_back(toml_text(value));
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }
};

}  // namespace

std::string to_text(const Settings::Value& value) { return std::visit(ToText{}, value); }

}  // namespace paretofl
