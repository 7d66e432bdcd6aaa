#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

inline constexpr std::int64_t kMaxConfigInteger = std::int64_t{1} << 24;
inline constexpr std::int64_t kMaxConfigLayers = 10'000;  ///< parameters are laid out for all of them before any is looked for

/// Whether a number is positive and a normal float, that is from about 1.2e-38 to 3.4e38: models compute with floats.
bool is_positive_float(double number);

/// The keys of one object of a published checkpoint's configuration; a key that is null counts as missing. It remembers which
/// keys were asked for, so that refuse_others can name those that nobody reads. Getters throw Error, with `name` for the file,
/// where a key is missing or has another type or an impossible value. The JSON must outlive it.
class ConfigKeys {
 public:
  /// Throws Error unless `object` is one.
  ConfigKeys(const nlohmann::json& object, std::string name);

  const std::string& name() const { return name_; }

  const nlohmann::json* find(const char* key) const;
  const nlohmann::json& at(const char* key) const;
  /// Whether the key is written at all, be it as null.
  bool written(const char* key) const { return object_.contains(key); }

  std::int64_t integer(const char* key, std::int64_t low = 1, std::int64_t high = kMaxConfigInteger) const;
  std::int64_t integer_or(const char* key, std::int64_t absent) const { return find(key) == nullptr ? absent : integer(key); }
  /// Of a key with a second name. Throws Error if both are there and differ.
  std::int64_t integer_of_either(const char* key, const char* other, std::int64_t high = kMaxConfigInteger) const;
  double number_or(const char* key, double absent) const;
  double positive(const char* key) const;  ///< as is_positive_float
  double positive_or(const char* key, double absent) const { return find(key) == nullptr ? absent : positive(key); }
  std::string text(const char* key) const;
  bool flag_or(const char* key, bool absent) const;
  std::vector<TokenId> tokens(const char* key) const;
  std::optional<TokenId> token(const char* key) const;  ///< none if it is negative

  /// Features whose other values are not built.
  void need_flag(const char* key, bool built, bool absent) const;
  void need_number(const char* key, double built) const;
  void need_text(const char* key, std::string_view built) const;

  /// Throws Error naming a key that is neither asked for so far nor among `harmless`, unless its value says nothing: null,
  /// false or an empty text, list or object.
  void refuse_others(std::span<const std::string_view> harmless) const;

 private:
  const nlohmann::json& object_;
  std::string name_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace paretofl
