#include "paretofl/runs/process_identity.h"

#include <span>

#include "paretofl/core/build_facts.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/sha256.h"
#include "paretofl/registry/plugins.h"

namespace paretofl {

Texts process_identity(Texts run_identity) {
  run_identity["engine.version"] = version_text();
  run_identity["engine.compiler"] = built_by();
  run_identity["engine.instructions"] = built_for();
  for (const auto& file : loaded_plugins()) {
    const std::string content = read_file(file);
    run_identity["plugin." + file.filename().string()] = "of SHA-256 " + sha256_hex(std::as_bytes(std::span(content)));
  }
  return run_identity;
}

}  // namespace paretofl
