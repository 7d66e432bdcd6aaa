#include "paretofl/runs/plugin_files.h"

#include "paretofl/core/standard_streams.h"
#include "paretofl/registry/plugins.h"

namespace paretofl {

void warn_of_other_plugins(std::string_view who, const Texts& digests) {
  for (const auto& [name, digest] : digests) {
    const auto found = plugin_digests().find(name);
    if (found == plugin_digests().end() || found->second == digest) continue;
    warn("warning: {}: expected the plugin {} of the run (SHA-256 {}), found another file ({}); it may compute otherwise", who, name,
         digest, found->second);
  }
}

}  // namespace paretofl
