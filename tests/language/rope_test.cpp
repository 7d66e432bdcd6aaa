#include "paretofl/language/rope.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace paretofl {
namespace {

struct RecordedWaves {
  RopeSettings settings;
  double amplitude;
  std::array<double, 8> frequencies;  // of the pairs 0, 20, 24, 30, 36, 40, 50 and 63
};

// Of heads of 128 numbers, as the reference library computes them in float32 for settings of published models.
TEST(RopeWaves, AreThoseOfTheReference) {
  const RopeScaling yarn{
      .rope_type = "yarn", .factor = 4, .original_max_position_embeddings = 32768, .attention_factor = 1.138629436111989};
  RopeScaling other = yarn;
  other.truncate = false;
  other.beta_fast = 16;
  other.beta_slow = 2;
  const RopeScaling llama3{.rope_type = "llama3", .factor = 8, .original_max_position_embeddings = 8192};
  const std::vector<RecordedWaves> all = {
      {{.theta = 1e6, .scaling = yarn},
       1.138629436111989,
       {1, 0.01333521, 0.005375321, 0.001064361, 0.0001798412, 4.445699e-05, 5.133812e-06, 3.102344e-07}},
      {{.theta = 1e6, .scaling = other},
       1.138629436111989,
       {1, 0.01333521, 0.005623413, 0.001157094, 0.0001198669, 4.445699e-05, 5.133812e-06, 3.102344e-07}},
      {{.theta = 5e5, .scaling = llama3},
       1,
       {1, 0.01656044, 0.007292665, 0.001371894, 7.784655e-05, 3.428102e-05, 4.411535e-06, 3.068926e-07}},
      {{.theta = 1e4, .scaling = RopeScaling{.rope_type = "linear", .factor = 2.5}},
       1,
       {0.4, 0.02249365, 0.01264911, 0.005334086, 0.002249365, 0.001264911, 0.0002999577, 4.619128e-05}}};
  constexpr std::array<std::size_t, 8> kPairs = {0, 20, 24, 30, 36, 40, 50, 63};
  for (const RecordedWaves& recorded : all) {
    const RopeWaves waves = rope_waves(recorded.settings, 128);
    EXPECT_DOUBLE_EQ(waves.amplitude, recorded.amplitude);
    ASSERT_EQ(waves.frequencies.size(), 64U);
    for (std::size_t i = 0; i < kPairs.size(); ++i) {
      EXPECT_NEAR(waves.frequencies[kPairs[i]], recorded.frequencies[i], 2e-6 * recorded.frequencies[i])
          << recorded.settings.scaling->rope_type << " pair " << kPairs[i];
    }
  }
}

TEST(RopeWaves, OfADynamicRopeAreTheDefaultOnes) {
  const RopeSettings plain{.theta = 500};
  const RopeSettings dynamic{.theta = 500, .scaling = RopeScaling{.rope_type = "dynamic", .factor = 4}};
  EXPECT_EQ(rope_waves(dynamic, 16).frequencies, rope_waves(plain, 16).frequencies);
}

// Each wave has a factor of its own, and others in sequences beyond the original length (Ding et al. 2024).
TEST(RopeWaves, OfALongropeDependOnTheLengthOfTheSequence) {
  const RopeScaling longrope{.rope_type = "longrope",
                             .original_max_position_embeddings = 16,
                             .attention_factor = 1.3,
                             .short_factors = {1, 2},
                             .long_factors = {4, 8}};
  const RopeSettings settings{.theta = 100, .scaling = longrope};
  const RopeWaves within = rope_waves(settings, 4);
  EXPECT_EQ(within.amplitude, 1.3);
  EXPECT_EQ(within.frequencies, (std::vector<double>{1, 0.05}));
  LanguageModelConfig config;
  config.head_dim = 6;
  config.rotary_dim = 4;
  config.rope_theta = 100;
  config.rope_scaling = longrope;
  EXPECT_EQ(rope_waves(config, false).frequencies, within.frequencies);
  EXPECT_EQ(rope_waves_beyond(config)->frequencies, (std::vector<double>{0.25, 0.0125}));
  EXPECT_EQ(rope_waves_beyond(config)->amplitude, 1.3);
  config.rope_scaling.reset();
  EXPECT_FALSE(rope_waves_beyond(config).has_value());
}

}  // namespace
}  // namespace paretofl
