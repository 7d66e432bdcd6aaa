#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/settings.h"

namespace paretofl {

class RegistryBase;

/// A registered part chosen by name together with its own settings, such as a strategy's solver. In a
/// config: `solver = "NAME"`, or a table `[strategy.solver]` with a `name` and the part's options.
struct Component {
  std::string name;
  Settings settings;
};

using Components = std::map<std::string, Component>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

/// Walks over the fields of an Options struct. Each struct has one function
/// `void describe(OptionVisitor& visit)` that names every field once: key, member (holding the
/// default), range, meaning. Reading, resolving and listing are visitors.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void boolean(std::string_view key, bool& field, std::string_view meaning) = 0;
  virtual void integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view meaning) = 0;
  virtual void real(std::string_view key, double& field, double low, double high, std::string_view meaning) = 0;
  virtual void text(std::string_view key, std::string& field, std::string_view meaning) = 0;
  /// A text that must be one of `choices`.
  virtual void choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) = 0;
  /// A list of reals, each within the range; an empty list is a valid default.
  virtual void reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view meaning) = 0;
  virtual void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) = 0;
  /// Any number of parts, each under a name of its own: tables `[strategy.key.NAME]` with a `name` and the part's options.
  /// Where a config names any, they replace the default ones; one of a default part's name may leave out what part it is.
  virtual void components(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning) = 0;
  /// Fields that stand in a table of their own.
  virtual void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) = 0;
};

template <class T>
concept Describable = requires(T options, OptionVisitor& visit) {
  options.describe(visit);
};

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
  void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) override;
  void components(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning) override;
  void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) override;

  void finish() const;
  /// Every field read so far with its final value, components resolved with their own defaults.
  const Settings& resolved() const { return resolved_; }

 private:
  const Settings::Value* find(std::string_view key);
  static Settings read_component(const Settings& in, const std::string& key, const std::string& where, Component& field,
                                 const RegistryBase& registry);
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

/// One documented option, as `list` prints it.
struct OptionDoc {
  std::string key;
  std::string type;  ///< "integer", "real", "boolean", "text", "list of reals", or a registry's kind
  std::string default_value;
  std::string range;
  std::string meaning;
};

/// Collects the documentation of an Options struct.
class OptionLister : public OptionVisitor {
 public:
  void boolean(std::string_view key, bool& field, std::string_view meaning) override;
  void integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view meaning) override;
  void real(std::string_view key, double& field, double low, double high, std::string_view meaning) override;
  void text(std::string_view key, std::string& field, std::string_view meaning) override;
  void choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) override;
  void reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view meaning) override;
  void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) override;
  void components(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning) override;
  void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) override;

  const std::vector<OptionDoc>& docs() const { return docs_; }

 private:
  std::vector<OptionDoc> docs_;
};

}  // namespace paretofl
