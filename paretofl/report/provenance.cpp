#include "paretofl/report/provenance.h"

#include <nlohmann/json.hpp>

#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"

namespace paretofl {

Texts read_provenance(const std::filesystem::path& run) {
  const std::filesystem::path file = run / "summary.json";
  Texts texts;
  if (!std::filesystem::exists(file)) return texts;
  const nlohmann::json summary = parse_json(read_file(file), file.string());
  for (const auto& entry : summary.items()) {
    const bool told_elsewhere = entry.key() == "strategy" || entry.key() == "workload" || entry.key() == "parameters_sha256";
    if (entry.value().is_string() && !told_elsewhere) texts[entry.key()] = entry.value().get<std::string>();
  }
  return texts;
}

}  // namespace paretofl
