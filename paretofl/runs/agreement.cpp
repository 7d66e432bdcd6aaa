#include "paretofl/runs/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paretofl/core/build_facts.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/sha256.h"

namespace paretofl {

Texts agreement_of(const Settings& resolved, const Workload& workload) {
  Texts texts = identity_of(resolved);
  texts["engine"] = version_text();
  texts["problem's objectives"] = fmt::format("{}", fmt::join(workload.objective_names(), ", "));
  texts["problem's number of clients"] = std::to_string(workload.num_clients());
  Texts slices;
  for (const Slice& slice : workload.layout()->slices()) {
    slices[slice.name] = fmt::format("{} {} {}", slice.range.begin, fmt::join(slice.shape, " "), slice.head);
  }
  texts["problem's layout (digest)"] = digest(slices);
  const Parameters initial = workload.initial_parameters();
  texts["problem's initial parameters (SHA-256)"] = sha256_hex(std::as_bytes(initial.values()));
  return texts;
}

}  // namespace paretofl
