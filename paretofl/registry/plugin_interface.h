#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/core/version.h"
#include "paretofl/registry/registry.h"

/// What a shared library with parts of one's own includes (docs/recipes.md, examples/plugin). It defines one function,
///
///   PARETOFL_PLUGIN(parts) {
///     parts.add(paretofl::solvers(), {{"name", "summary", "reference", paretofl::described<Options>()}, make});
///   }
///
/// which the command calls once, before it reads a config. Classes of a plugin belong into an unnamed namespace: a name that
/// the library has too would otherwise mean the library's.

/// Changes with whatever a plugin can see of the interface below.
#define PARETOFL_PLUGIN_INTERFACE 1

#define PARETOFL_QUOTED(text) #text
#define PARETOFL_EXPANDED(text) PARETOFL_QUOTED(text)
#ifdef __clang__
#define PARETOFL_COMPILER "Clang"
#else
#define PARETOFL_COMPILER "GCC"
#endif

/// What a plugin and the library must have in common to share objects: the library's version, the C++ ABI of the compiler
/// and its standard library, and how Eigen of which version aligns its numbers, which depends on -march.
#define PARETOFL_PLUGIN_ABI \
  "ParetoFL " PARETOFL_VERSION ", plugin interface " PARETOFL_EXPANDED(PARETOFL_PLUGIN_INTERFACE) ", " PARETOFL_COMPILER    \
  " with C++ ABI " PARETOFL_EXPANDED(__GXX_ABI_VERSION) " and string ABI " PARETOFL_EXPANDED(_GLIBCXX_USE_CXX11_ABI) ", "   \
  "Eigen " PARETOFL_EXPANDED(EIGEN_WORLD_VERSION) "." PARETOFL_EXPANDED(EIGEN_MAJOR_VERSION) "."                            \
  PARETOFL_EXPANDED(EIGEN_MINOR_VERSION) " aligned to " PARETOFL_EXPANDED(EIGEN_MAX_ALIGN_BYTES) " bytes"

namespace paretofl {

/// Where a plugin adds its parts.
class PluginParts {
 public:
  explicit PluginParts(std::string file) : file_(std::move(file)) {}

  /// Adds a part to a registry, such as solvers(), strategies() or workloads(). Throws Error where the name is taken.
  template <class Factory>
  void add(Registry<Factory>& registry, typename Registry<Factory>::Entry entry) {
    entry.origin = file_;
    if (entry.make) entry.make = never_null<Factory>(std::move(entry.make), file_ + ": " + entry.name);
    registry.add(std::move(entry));
  }

 private:
  /// The factory, which throws Error where it would return a null pointer, or a strategy without one of its halves.
  template <class Factory>
  static std::function<Factory> never_null(std::function<Factory> make, std::string part) {
    return [make = std::move(make), part = std::move(part)](auto&&... arguments) {
      auto made = make(std::forward<decltype(arguments)>(arguments)...);
      bool whole = true;
      if constexpr (requires { made.server, made.client; }) {
        whole = made.server != nullptr && made.client != nullptr;
      } else if constexpr (requires { static_cast<bool>(made); }) {
        whole = static_cast<bool>(made);
      }
      expect(whole, "plugin {}: expected its factory to make the part, found a null pointer", part);
      return made;
    };
  }

  std::string file_;
};

/// What the one function of a plugin returns. `abi` is compared before anything else is used.
struct Plugin {
  const char* abi;
  void (*add_parts)(PluginParts& parts);
};

/// The name of that function.
inline constexpr const char* kPluginFunction = "paretofl_plugin";

}  // namespace paretofl

/// Begins the function that adds a plugin's parts to the PluginParts `parts`.
// NOLINTBEGIN(bugprone-macro-parentheses): a parameter's name takes none
#define PARETOFL_PLUGIN(parts)                                                                  \
  static void paretofl_add_parts(paretofl::PluginParts& parts);                                 \
  extern "C" __attribute__((visibility("default"))) const paretofl::Plugin* paretofl_plugin() { \
    static const paretofl::Plugin kPlugin{PARETOFL_PLUGIN_ABI, paretofl_add_parts};             \
    return &kPlugin;                                                                            \
  }                                                                                             \
  static void paretofl_add_parts(paretofl::PluginParts& parts)
// NOLINTEND(bugprone-macro-parentheses)
