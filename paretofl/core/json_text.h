#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "paretofl/core/printable.h"

namespace paretofl {

/// Parses JSON from outside; messages call the text `name`. Throws Error on a text that is not JSON, on numbers that no double holds, and
/// on lists and objects nested more than 200 levels deep.
nlohmann::json parse_json(std::string_view text, const std::string& name);

/// The same with the keys of objects in the order they have in the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& name);

/// Throws Error if lists and objects are nested deeper than parse_json reads them.
void expect_shallow_json(std::string_view text, const std::string& name);

/// Whether a value of a published configuration has no effect, like keys that a library writes for unused features: null, false, or an
/// empty text, list or object.
bool says_nothing(const nlohmann::json& value);

/// A JSON document as text: on one line, or indented by so many spaces. Names of folders and cut texts need not be UTF-8; what
/// isn't becomes U+FFFD. No name in it acts on a terminal (printable_json).
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace paretofl
