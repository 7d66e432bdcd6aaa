#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace paretofl {

/// Parses JSON from outside. Throws Error, with `name` for the text, saying where it breaks.
nlohmann::json parse_json(const std::string& text, const std::string& name);

}  // namespace paretofl
