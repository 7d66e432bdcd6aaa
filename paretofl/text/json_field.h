#pragma once

#include <string>
#include <string_view>

#include "paretofl/text/json_object.h"

namespace paretofl {

// Fields of the rows of a user's own files, whose names are options. A name with dots, such as "reward_model.ground_truth", is a field in
// objects within the row, unless the row has a field of the whole name.

/// The field of that name; null where there is none, or a null in its place. Unless `text` is null, it is the object's text and becomes the
/// field's.
const nlohmann::json* field_at(const nlohmann::json& object, std::string_view path, std::string_view* text = nullptr);

/// The same; throws Error where there is none.
const nlohmann::json& needed_field(const JsonObject& row, const std::string& path, std::string_view* text = nullptr);

/// The text that the field `path` of a row is. Throws Error if it is none.
std::string text_of_field(const JsonObject& row, const nlohmann::json& field, const std::string& path);

/// The text of a prompt: the field `path`, a text, or a list of chat messages that holds one message, of the role user, whose content it
/// then is. Throws Error otherwise.
std::string prompt_of_field(const JsonObject& row, const std::string& path);

}  // namespace paretofl
