#include "paretofl/runs/provenance.h"

#include <span>

#include "paretofl/core/build_facts.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/sha256.h"
#include "paretofl/core/version.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/utc_time.h"

namespace paretofl {

Provenance::Provenance() : started_(std::chrono::system_clock::now()), plugins_(nlohmann::ordered_json::array()) {
  for (const auto& file : loaded_plugins()) {
    const std::string content = read_file(file);
    plugins_.push_back({{"file", file.string()}, {"sha256", sha256_hex(std::as_bytes(std::span(content)))}});
  }
}

void Provenance::add_to(nlohmann::ordered_json& summary) const {
  summary["version"] = PARETOFL_VERSION;
  summary["commit"] = built_commit();
  summary["compiler"] = built_by();
  summary["processor"] = processor_name();
  summary["started"] = utc_text(started_);
  summary["ended"] = utc_text(std::chrono::system_clock::now());
  if (!plugins_.empty()) summary["plugins"] = plugins_;
}

}  // namespace paretofl
