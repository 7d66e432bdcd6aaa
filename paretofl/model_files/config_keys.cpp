#include "paretofl/model_files/config_keys.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

using nlohmann::json;

// What is shown of a value from outside, which may be large.
std::string shown(const json& value) {
  constexpr std::size_t kShown = 100;
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= kShown ? text : text.substr(0, kShown) + " ...";
}

std::int64_t integer_of(const json& value, const std::string& name, const char* key, std::int64_t low, std::int64_t high) {
  // An unsigned number above the signed range would wrap.
  const bool fits = value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kMaxConfigInteger);
  expect(fits && value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high,
         "{}: expected {} to be an integer from {} to {}, found {}", name, key, low, high, shown(value));
  return value.get<std::int64_t>();
}

}  // namespace

bool is_positive_float(double number) { return number >= std::numeric_limits<float>::min() && number <= std::numeric_limits<float>::max(); }

ConfigKeys::ConfigKeys(const json& object, std::string name) : object_(object), name_(std::move(name)) {
  expect(object.is_object(), "{}: expected a JSON object, found {}", name_, object.type_name());
}

const json* ConfigKeys::find(const char* key) const {
  asked_.insert(key);
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const json& ConfigKeys::at(const char* key) const {
  const json* value = find(key);
  expect(value != nullptr, "{}: expected the key {}, found none", name_, key);
  return *value;
}

std::int64_t ConfigKeys::integer(const char* key, std::int64_t low, std::int64_t high) const {
  return integer_of(at(key), name_, key, low, high);
}

std::int64_t ConfigKeys::integer_of_either(const char* key, const char* other, std::int64_t high) const {
  if (find(other) == nullptr) return integer(key, 1, high);
  const std::int64_t value = integer(other, 1, high);
  if (find(key) == nullptr) return value;
  expect(integer(key, 1, high) == value, "{}: expected {} and {} to be the same number, found {} and {}", name_, key, other,
         integer(key, 1, high), value);
  return value;
}

double ConfigKeys::number_or(const char* key, double absent) const {
  const json* value = find(key);
  if (value == nullptr) return absent;
  expect(value->is_number() && std::isfinite(value->get<double>()), "{}: expected {} to be a number, found {}", name_, key, shown(*value));
  return value->get<double>();
}

double ConfigKeys::positive(const char* key) const {
  const json& value = at(key);
  expect(value.is_number() && is_positive_float(value.get<double>()),
         "{}: expected {} to be a positive number that float32 holds, found {}", name_, key, shown(value));
  return value.get<double>();
}

std::string ConfigKeys::text(const char* key) const {
  const json& value = at(key);
  expect(value.is_string(), "{}: expected {} to be a text, found {}", name_, key, shown(value));
  return value.get<std::string>();
}

bool ConfigKeys::flag_or(const char* key, bool absent) const {
  const json* value = find(key);
  if (value == nullptr) return absent;
  expect(value->is_boolean(), "{}: expected {} to be true or false, found {}", name_, key, shown(*value));
  return value->get<bool>();
}

std::vector<TokenId> ConfigKeys::tokens(const char* key) const {
  const json* value = find(key);
  std::vector<TokenId> ids;
  if (value == nullptr) return ids;
  for (const json& id : value->is_array() ? *value : json::array({*value})) {
    const std::int64_t token = integer_of(id, name_, key, -1, kMaxConfigInteger);
    if (token >= 0) ids.push_back(static_cast<TokenId>(token));
  }
  return ids;
}

std::optional<TokenId> ConfigKeys::token(const char* key) const {
  if (find(key) == nullptr) return std::nullopt;
  const std::int64_t id = integer(key, -1);
  return id < 0 ? std::nullopt : std::optional(static_cast<TokenId>(id));
}

void ConfigKeys::need_flag(const char* key, bool built, bool absent) const {
  expect(flag_or(key, absent) == built, "{}: expected {} = {}, found {}, which is not supported", name_, key, built, !built);
}

void ConfigKeys::need_number(const char* key, double built) const {
  const double found = number_or(key, built);
  expect(found == built, "{}: expected {} = {}, found {}, which is not supported", name_, key, built, found);
}

void ConfigKeys::need_text(const char* key, std::string_view built) const {
  const json* value = find(key);
  expect(value == nullptr || *value == built, "{}: expected {} to be {}, found {}, which is not supported", name_, key, built,
         value == nullptr ? "" : shown(*value));
}

void ConfigKeys::refuse_others(std::span<const std::string_view> harmless) const {
  for (const auto& [key, value] : object_.items()) {
    const bool known = asked_.contains(key) || std::find(harmless.begin(), harmless.end(), key) != harmless.end();
    expect(known || says_nothing(value), "{}: expected no key {}, which is not supported, found {}", name_, shown(json(key)), shown(value));
  }
}

}  // namespace paretofl
