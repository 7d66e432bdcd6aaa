#include "paretofl/text/json_object.h"

#include "paretofl/core/error.h"

namespace paretofl {

using nlohmann::json;

JsonObject::JsonObject(const json& json, std::string where) : json_(json), where_(std::move(where)) {
  expect(json.is_object(), "{}: expected an object, found {}", where_, json.type_name());
}

bool JsonObject::has(std::string_view key) const {
  const auto found = json_.find(std::string(key));
  return found != json_.end() && !found->is_null();
}

const json& JsonObject::field(std::string_view key) const {
  expect(has(key), "{}: expected a field '{}', found none", where_, key);
  return *json_.find(std::string(key));
}

std::string JsonObject::text(std::string_view key) const {
  const json& value = field(key);
  expect(value.is_string(), "{}: {}: expected a text, found {}", where_, key, value.type_name());
  return value.get<std::string>();
}

bool JsonObject::flag(std::string_view key, bool fallback) const {
  if (!has(key)) return fallback;
  const json& value = field(key);
  expect(value.is_boolean(), "{}: {}: expected true or false, found {}", where_, key, value.type_name());
  return value.get<bool>();
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t low, std::int64_t high) const {
  const json& value = field(key);
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
  expect(fits && value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high,
         "{}: {}: expected an integer from {} to {}, found {}", where_, key, low, high,
         value.is_number() ? value.dump() : value.type_name());
  return value.get<std::int64_t>();
}

double JsonObject::real(std::string_view key) const {
  const json& value = field(key);
  expect(value.is_number(), "{}: {}: expected a number, found {}", where_, key, value.type_name());
  return value.get<double>();
}

const json& JsonObject::list(std::string_view key) const {
  const json& value = field(key);
  expect(value.is_array(), "{}: {}: expected a list, found {}", where_, key, value.type_name());
  return value;
}

std::vector<std::string> JsonObject::texts(std::string_view key) const {
  std::vector<std::string> result;
  for (const json& item : list(key)) {
    expect(item.is_string(), "{}: {}[{}]: expected a text, found {}", where_, key, result.size(), item.type_name());
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<double> JsonObject::reals(std::string_view key) const {
  std::vector<double> result;
  for (const json& item : list(key)) {
    expect(item.is_number(), "{}: {}[{}]: expected a number, found {}", where_, key, result.size(), item.type_name());
    result.push_back(item.get<double>());
  }
  return result;
}

JsonObject JsonObject::object(std::string_view key) const { return {field(key), fmt::format("{}: {}", where_, key)}; }

std::vector<JsonObject> JsonObject::objects(std::string_view key) const {
  constexpr int kMaxDepth = 16;
  expect(depth_ < kMaxDepth, "{}: expected at most {} levels of objects in objects, found more", where_, kMaxDepth);
  std::vector<JsonObject> result;
  for (const json& item : list(key)) {
    result.emplace_back(item, fmt::format("{}: {}[{}]", where_, key, result.size()));
    result.back().depth_ = depth_ + 1;
  }
  return result;
}

}  // namespace paretofl
