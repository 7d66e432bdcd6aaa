#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/registry/settings.h"

namespace paretofl {

class RegistryBase;

/// A registered part chosen by name together with its own settings, such as a strategy's solver. In a
/// config: `solver = "NAME"`, or a table `[strategy.solver]` with a `name` and the part's options.
struct Component {
  std::string name;
  Settings settings;
  /// What stands in the part's table beside its own options, by key; only the keys that are set (PartText).
  std::map<std::string, std::string> texts = {};
};

/// A text that the user of a part lets stand in the part's table, such as the instruction of a task beside its question set's options.
struct PartText {
  std::string key;
  std::string meaning;
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
  /// A list of texts; an empty list is a valid default.
  virtual void texts(std::string_view key, std::vector<std::string>& field, std::string_view meaning) = 0;
  virtual void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) = 0;
  /// Any number of parts, each under a name of its own: tables `[strategy.key.NAME]` with a `name` and the part's options.
  /// Where a config names any, they replace the default ones; one of a default part's name may leave out what part it is.
  /// Each may have `texts` beside its own options.
  virtual void components_with_texts(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning,
                                     const std::vector<PartText>& texts) = 0;
  void components(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning) {
    components_with_texts(key, field, registry, meaning, {});
  }
  /// Fields that stand in a table of their own.
  virtual void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) = 0;
};

template <class T>
concept Describable = requires(T options, OptionVisitor& visit) {
  options.describe(visit);
};

}  // namespace paretofl
