#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Reads settings into the fields. Throws Error on a wrong type or a value out of range, and from
/// finish() on keys that no field asked for, naming the nearest known key.
class OptionReader : public OptionVisitor {
 public:
  /// `path` is where the settings stand in the config ("strategy"), for messages. The settings must
  /// outlive the reader.
  OptionReader(const Settings& settings, std::string path);

  void boolean(std::string_view key, bool& field, std::string_view meaning) override;
  void integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view meaning) override;
  void real(std::string_view key, double& field, double low, double high, std::string_view meaning) override;
  void text(std::string_view key, std::string& field, std::string_view meaning) override;
  void choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) override;
  void reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view meaning) override;
  void texts(std::string_view key, std::vector<std::string>& field, std::string_view meaning) override;
  void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) override;
  void components_with_texts(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning,
                             const std::vector<PartText>& texts) override;
  void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) override;

  void finish() const;
  /// Every field read so far with its final value, components resolved with their own defaults.
  const Settings& resolved() const { return resolved_; }

 private:
  const Settings::Value* find(std::string_view key);
  static Settings read_component(const Settings& in, const std::string& key, const std::string& where, Component& field,
                                 const RegistryBase& registry, const std::vector<PartText>& texts);
  std::string name_of(std::string_view key) const;

  const Settings& settings_;
  std::string path_;
  std::vector<std::string> known_;
  Settings resolved_;
};

/// Reads a whole Options struct: defaults, then settings, then the check for unknown keys.
template <Describable Options>
Options read_options(const Settings& settings, std::string path) {
  Options options;
  OptionReader reader(settings, std::move(path));
  options.describe(reader);
  reader.finish();
  return options;
}

}  // namespace paretofl
