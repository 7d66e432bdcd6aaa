#pragma once

#include <deque>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// The documentation of a registered part.
struct RegistryEntry {
  std::string name;
  std::string summary;                           ///< one line for `list`
  std::string reference;                         ///< paper and equation or algorithm number
  std::function<void(OptionVisitor&)> describe;  ///< walks over a default Options struct
  std::string origin = {};                       ///< the file of the plugin that added it; empty for the project's own
};

/// The names and documentation of one kind of part, without the factories' types.
class RegistryBase {
 public:
  explicit RegistryBase(std::string kind) : kind_(std::move(kind)) {}
  virtual ~RegistryBase() = default;

  const std::string& kind() const { return kind_; }  ///< "strategy", "solver", ...
  virtual std::vector<const RegistryEntry*> entries() const = 0;
  /// Throws Error naming the known names if `name` is not one of them.
  const RegistryEntry& entry(std::string_view name) const;

 protected:
  /// Throws Error unless an entry may be added: it has a name, a describe function and a factory, and no other has its name.
  void check_new(const RegistryEntry& entry, bool has_factory) const;

 private:
  std::string kind_;
};

/// One explicit list per room, in its registry.cpp: static self-registration is lost from static
/// libraries. `Factory` is a function type, such as std::unique_ptr<Thing>(const Settings&).
template <class Factory>
class Registry : public RegistryBase {
 public:
  struct Entry : RegistryEntry {
    std::function<Factory> make;
  };

  Registry(std::string kind, std::vector<Entry> entries)
      : RegistryBase(std::move(kind)), entries_(std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end())) {}

  /// Adds a part under a new name. Not thread-safe: everything is added before a run starts. Throws Error on a name that is
  /// taken, and on an entry without a name, a describe function or a factory.
  void add(Entry entry) {
    check_new(entry, static_cast<bool>(entry.make));
    entries_.push_back(std::move(entry));
  }

  /// The same, but for a name that a part of the same origin has, which it replaces.
  void add_or_replace(Entry entry) {
    for (Entry& other : entries_) {
      if (other.name != entry.name || entry.origin.empty() || other.origin != entry.origin) continue;
      other = std::move(entry);
      return;
    }
    add(std::move(entry));
  }

  std::vector<const RegistryEntry*> entries() const override {
    std::vector<const RegistryEntry*> list;
    for (const Entry& entry : entries_) list.push_back(&entry);
    return list;
  }

  /// The entry of that name with its factory; throws Error like entry().
  const Entry& at(std::string_view name) const { return static_cast<const Entry&>(entry(name)); }

 private:
  std::deque<Entry> entries_;  // whose elements stay where they are
};

/// A describe function for an Options struct.
template <Describable Options>
std::function<void(OptionVisitor&)> described() {
  return [](OptionVisitor& visit) {
    Options options;
    options.describe(visit);
  };
}

/// The known word with the smallest edit distance to `word`, for "did you mean"; empty if none is near.
std::string nearest(std::string_view word, std::span<const std::string> known);

}  // namespace paretofl
