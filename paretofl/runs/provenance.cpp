#include "paretofl/runs/provenance.h"

#include "paretofl/core/build_facts.h"
#include "paretofl/core/version.h"
#include "paretofl/kernels/vector_bits.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/utc_time.h"

namespace paretofl {

Provenance::Provenance() : started_(std::chrono::system_clock::now()), plugins_(nlohmann::ordered_json::array()) {
  const Texts digests = plugin_digests();
  for (const auto& file : loaded_plugins()) {
    plugins_.push_back({{"file", file.string()}, {"sha256", digests.at(file.filename().string())}});
  }
}

void Provenance::add_to(nlohmann::ordered_json& summary) const {
  summary["version"] = PARETOFL_VERSION;
  summary["commit"] = built_commit();
  summary["compiler"] = built_by();
  summary["processor"] = processor_name();
  summary["vector_bits"] = vector_bits();
  summary["started"] = utc_text(started_);
  summary["ended"] = utc_text(std::chrono::system_clock::now());
  if (!plugins_.empty()) summary["plugins"] = plugins_;
}

}  // namespace paretofl
