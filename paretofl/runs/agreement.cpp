#include "paretofl/runs/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paretofl/core/build_facts.h"
#include "paretofl/core/sha256.h"
#include "paretofl/parties/problem.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/workload_problem.h"

namespace paretofl {

Texts agreement_of(const ResolvedConfig& config, const Workload& workload) {
  Texts texts = identity_of(config.resolved);
  std::erase_if(texts, [](const auto& setting) { return setting.first.starts_with("workload.preferences"); });
  texts["engine"] = version_text();
  const Problem problem = problem_of(config.config, workload);
  texts["problem's objectives"] = fmt::format("{}", fmt::join(problem.objectives, ", "));
  texts["problem's number of clients"] = std::to_string(problem.clients);
  texts["problem's initial parameters (SHA-256)"] = problem.initial_parameters;
  for (const auto& [key, value] : problem_texts(problem)) {
    if (key.starts_with("facts") || key.starts_with("layout")) texts["problem's " + key] = value;
  }
  const std::string text = problem_text(problem);
  texts["problem.json (SHA-256)"] = sha256_hex(std::as_bytes(std::span(text)));
  for (const auto& [file, digest] : plugin_digests()) texts[fmt::format("plugin {} (SHA-256)", file)] = digest;
  for (const auto& [file, digest] : workload.code()) texts[fmt::format("code of {} (SHA-256)", file)] = digest;
  return texts;
}

}  // namespace paretofl
