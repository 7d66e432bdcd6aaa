#include "paretofl/runs/process_identity.h"

#include "paretofl/core/build_facts.h"
#include "paretofl/registry/plugins.h"

namespace paretofl {

Texts process_identity(Texts run_identity) {
  run_identity["engine.version"] = version_text();
  run_identity["engine.compiler"] = built_by();
  run_identity["engine.instructions"] = built_for();
  for (const auto& [file, digest] : plugin_digests()) run_identity["plugin." + file] = "of SHA-256 " + digest;
  return run_identity;
}

}  // namespace paretofl
