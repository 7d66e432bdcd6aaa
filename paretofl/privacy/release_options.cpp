#include "paretofl/privacy/release_options.h"

#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {

void ReleaseOptions::describe(OptionVisitor& visit) {
  visit.real("clip", clip, 0, kInfinity, "the largest L2 norm of a client's update in a sum over the cohort; 0: not clipped");
  visit.choice("clip_by", clip_by, {"whole", "layer"},
               "what of an update is clipped: the whole, or each of its L layers, to clip / sqrt(L)");
  visit.real("clip_jacobian", clip_jacobian, 0, kInfinity,
             "likewise where clients send one vector per objective, such as a jacobian or its sketch; 0: as clip");
  visit.choice("clip_jacobian_by", clip_jacobian_by, {"objective", "whole"}, "each objective's vector is clipped alone, or all as one");
  visit.real("clip_losses", clip_losses, 0, kInfinity, "likewise of a client's losses, where the server needs them");
  visit.boolean("adaptive_clip", adaptive_clip,
                "the norms above are where the clipping begins, and then follow a quantile of the clients' norms");
  visit.real("clip_quantile", clip_quantile, 0, 1, "share of the clients' norms below the clipping that adaptive_clip aims at");
  visit.real("clip_lr", clip_lr, 0, kInfinity, "learning rate of the logarithm of the clipping");
  visit.real("noise_multiplier", noise_multiplier, 0, kMaxNoiseMultiplier,
             "standard deviation of the noise of each sum, divided by what one client can change; 0: no noise");
  visit.choice(
      "sampling", sampling, {"fixed_size", "poisson"},
      "how cohorts are drawn: cohort_size clients, or each client on its own with such a probability that cohort_size are expected");
  visit.real("delta", delta, 0, 1, "the delta of (epsilon, delta)-differential privacy");
  visit.real("budget", budget, 0, kInfinity, "epsilon that the run does not exceed: it ends before; 0: none");
  visit.choice("accountant", accountant, accountant_names(), "how epsilon is computed");
}

void ReleaseOptions::check() const {
  expect(!noisy() || clips(), "privacy.clip: expected a positive number with privacy.noise_multiplier, found {}", clip);
  expect(!noisy() || clip_losses > 0, "privacy.clip_losses: expected a positive number with privacy.noise_multiplier, found {}",
         clip_losses);
  expect(clip_by == "whole" || clips(), "privacy.clip: expected a positive number with privacy.clip_by, found 0");
  expect(clip_jacobian == 0 || clips(), "privacy.clip: expected a positive number with privacy.clip_jacobian, found 0");
  expect(clip_jacobian_by == "objective" || clips(), "privacy.clip: expected a positive number with privacy.clip_jacobian_by, found 0");
  expect(!adaptive_clip || noisy(), "privacy.adaptive_clip: expected false without privacy.noise_multiplier, found true");
  expect(!poisson() || noisy(), "privacy.sampling: expected fixed_size without privacy.noise_multiplier, found poisson");
  expect(poisson() || accountant != "pld" || !noisy(), "privacy.accountant: expected rdp with privacy.sampling = fixed_size, found pld");
  if (!noisy()) return;
  try {
    check_noise_multiplier(noise_multiplier);
    check_delta(delta);
  } catch (const Error& error) {
    throw Error(std::string("privacy: ") + error.what());
  }
}

}  // namespace paretofl
