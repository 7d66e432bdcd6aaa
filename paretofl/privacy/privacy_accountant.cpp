#include "paretofl/privacy/privacy_accountant.h"

#include <fmt/ranges.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/privacy/pld_accountant.h"
#include "paretofl/privacy/rdp_accountant.h"

namespace paretofl {

const std::vector<std::string>& accountant_names() {
  static const std::vector<std::string> kNames{"rdp", "pld"};
  return kNames;
}

std::unique_ptr<PrivacyAccountant> make_accountant(const std::string& name) {
  if (name == "rdp") return std::make_unique<RdpAccountant>();
  expect(name == "pld", "accountant: expected {}, found '{}'", fmt::join(accountant_names(), " or "), name);
  return std::make_unique<PldAccountant>();
}

double combined_noise(const std::vector<double>& noise_multipliers) {
  expect(!noise_multipliers.empty(), "noise multipliers: expected at least one, found none");
  double sum = 0;
  for (const double noise : noise_multipliers) {
    expect(noise > 0, "noise multiplier: expected a positive number, found {}", noise);
    sum += 1 / (noise * noise);
  }
  return 1 / std::sqrt(sum);
}

void check_delta(double delta) {
  expect(delta >= kMinDelta && delta < 1, "delta: expected a number from {} to below 1, found {}", kMinDelta, delta);
}

void check_noise_multiplier(double noise_multiplier) {
  expect(noise_multiplier >= kMinNoiseMultiplier && noise_multiplier <= kMaxNoiseMultiplier,
         "noise multiplier: expected a number from {} to {}, found {}", kMinNoiseMultiplier, kMaxNoiseMultiplier, noise_multiplier);
}

void check_step_count(std::int64_t count) { expect(count >= 0, "steps: expected a count of at least 0, found {}", count); }

}  // namespace paretofl
