#include "paretofl/text/json_field.h"

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/text/json_member.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

const nlohmann::json* field_at(const nlohmann::json& object, std::string_view path, std::string_view* text) {
  if (!object.is_object()) return nullptr;
  const bool whole = object.contains(path);
  const std::size_t dot = path.find('.');
  if (!whole && dot == std::string_view::npos) return nullptr;
  const std::string key(whole ? path : path.substr(0, dot));
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  if (text != nullptr) *text = json_member(*text, key);
  if (whole) return found->is_null() ? nullptr : &*found;
  return field_at(*found, path.substr(dot + 1), text);
}

const nlohmann::json& needed_field(const JsonObject& row, const std::string& path, std::string_view* text) {
  const nlohmann::json* field = field_at(row.value(), path, text);
  expect(field != nullptr, "{}: expected a field '{}', found none", row.where(), printable(path));
  return *field;
}

std::string text_of_field(const JsonObject& row, const nlohmann::json& field, const std::string& path) {
  expect(field.is_string(), "{}: expected a text in '{}', found {}", row.where(), printable(path), field.type_name());
  return field.get<std::string>();
}

std::string prompt_of_field(const JsonObject& row, const std::string& path) {
  const nlohmann::json& field = needed_field(row, path);
  if (!field.is_array()) {
    expect(field.is_string(), "{}: expected a text or a list of chat messages in '{}', found {}", row.where(), printable(path),
           field.type_name());
    return field.get<std::string>();
  }
  expect(field.size() == 1, "{}: expected one chat message, of the user, in '{}', found {}", row.where(), printable(path), field.size());
  const JsonObject message(field[0], row.where() + ": message");
  const std::string role = message.text("role");
  expect(role == "user", "{}: expected a chat message of the user in '{}', found one of '{}'", row.where(), printable(path), shown(role));
  return message.text("content");
}

}  // namespace paretofl
