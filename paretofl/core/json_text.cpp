#include "paretofl/core/json_text.h"

#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {

nlohmann::json parse_json(const std::string& text, const std::string& name) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    const std::string_view message = error.what();  // behind the library's own prefix in brackets
    throw Error(fmt::format("{}: expected JSON, found: {}", name, message.substr(message.find("] ") + 2)));
  }
}

}  // namespace paretofl
