#include "paretofl/privacy/example_options.h"

#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {

void ExampleOptions::describe(OptionVisitor& visit) {
  visit.real("example_clip", clip, 0, kInfinity,
             "the largest L2 norm of the gradient of one example, of each objective (DP-SGD); 0: gradients are those of minibatches");
  visit.real("example_noise_multiplier", noise_multiplier, 0, kMaxNoiseMultiplier,
             "standard deviation of the noise of each sum of such gradients, divided by what one example can change; 0: no noise");
  visit.real("example_rate", rate, 0, 1,
             "with example_clip: the probability of each example to be in a minibatch, whose size is then left to chance");
}

void ExampleOptions::check() const {
  expect(!noisy() || clips(), "privacy.example_clip: expected a positive number with privacy.example_noise_multiplier, found {}", clip);
  expect(clips() == (rate > 0), "privacy.example_rate: expected {}, found {}",
         clips() ? "a positive number with privacy.example_clip" : "0 without privacy.example_clip", rate);
  expect(!noisy() || noise_multiplier >= kMinNoiseMultiplier,
         "privacy.example_noise_multiplier: expected 0, or a number from {} to {}, found {}", kMinNoiseMultiplier, kMaxNoiseMultiplier,
         noise_multiplier);
}

}  // namespace paretofl
