#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A JSON object of a file from outside, with the name that messages give it. Its getters throw Error where a field is
/// missing or of another type; a null counts as missing. The JSON must outlive it.
class JsonObject {
 public:
  /// Throws Error unless `json` is an object.
  JsonObject(const nlohmann::json& json, std::string where);

  const std::string& where() const { return where_; }
  bool has(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback) const { return has(key) ? text(key) : std::string(fallback); }
  bool flag(std::string_view key, bool fallback) const;
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const;
  double real(std::string_view key) const;
  const nlohmann::json& list(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<double> reals(std::string_view key) const;
  JsonObject object(std::string_view key) const;
  /// The objects of a list. Throws Error beyond 16 levels of objects in objects.
  std::vector<JsonObject> objects(std::string_view key) const;
  const nlohmann::json& value() const { return json_; }

 private:
  const nlohmann::json& field(std::string_view key) const;

  const nlohmann::json& json_;
  std::string where_;
  int depth_ = 0;
};

}  // namespace paretofl
