#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace paretofl {

/// Parses JSON from outside. Throws Error, with `name` for the text, saying where it breaks, and on lists within lists, objects too, more
/// than 200 levels deep.
nlohmann::json parse_json(const std::string& text, const std::string& name);

/// A JSON document as text: on one line, or indented by so many spaces. Names of folders and cut texts need not be UTF-8; what
/// isn't becomes U+FFFD.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace paretofl
