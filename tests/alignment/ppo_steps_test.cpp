#include "paretofl/alignment/ppo_steps.h"

#include <gmock/gmock.h>

#include "paretofl/alignment/generalized_advantages.h"
#include "paretofl/core/error.h"
#include "tests/alignment/bigram_lm.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

constexpr std::size_t kTokens = 5;

/// Objective 0 wants token 1, objective 1 wants token 2: the share of the completion that is it.
class TokenTask : public CompletionTask {
 public:
  explicit TokenTask(std::size_t objectives = 2, double reward_of_all = std::nan("")) : objectives_(objectives), fixed_(reward_of_all) {}

  std::size_t num_objectives() const override { return objectives_; }
  std::size_t num_prompts() const override { return prompts_.size(); }
  const TokenIds& prompt(std::size_t index) const override { return prompts_[index]; }
  std::vector<double> rewards(std::span<const std::size_t>, std::span<const Completion> completions) const override {
    std::vector<double> rewards;
    for (const Completion& completion : completions) {
      for (std::size_t k = 0; k < objectives_; ++k) {
        const auto wanted = static_cast<double>(std::count(completion.ids.begin(), completion.ids.end(), static_cast<TokenId>(k + 1)));
        rewards.push_back(std::isnan(fixed_) ? wanted / static_cast<double>(completion.ids.size()) : fixed_);
      }
    }
    return rewards;
  }

 private:
  std::size_t objectives_;
  double fixed_;
  std::vector<TokenIds> prompts_{{0}, {3, 4}, {4}};
};

PpoOptions small_ppo() {
  PpoOptions options;
  options.batch_size = 8;
  options.minibatch_size = 4;
  options.max_new_tokens = 6;
  return options;
}

/// A task that keeps what it was last asked to judge.
class RecordingTask : public TokenTask {
 public:
  std::vector<double> rewards(std::span<const std::size_t> prompts, std::span<const Completion> completions) const override {
    judged.assign(completions.begin(), completions.end());
    return TokenTask::rewards(prompts, completions);
  }
  mutable std::vector<Completion> judged;
};

/// A language model that keeps how it was last asked to draw.
class RecordingLm : public BigramLm {
 public:
  using BigramLm::BigramLm;
  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                   GenerationExtras extras, Random random) const override {
    asked = sampling;
    return BigramLm::generate(prompts, adapter, sampling, extras, random);
  }
  mutable Sampling asked;
};

std::vector<float> uneven_theta() {
  Random random({3, 0, 0}, "theta");
  std::vector<float> theta(kTokens * kTokens);
  for (float& value : theta) value = static_cast<float>(random.below(64)) / 64;
  return theta;
}

PpoSteps make_ppo(const PpoOptions& options, std::size_t objectives = 2) {
  return {std::make_shared<BigramLm>(kTokens), std::make_shared<TokenTask>(objectives), options, {}};
}

struct Gradients {
  std::vector<double> losses;
  std::vector<float> jacobian;
};

Gradients gradients(PpoSteps& steps, std::int64_t step, std::span<const float> theta) {
  Gradients at{std::vector<double>(steps.num_objectives()), std::vector<float>(steps.num_objectives() * theta.size())};
  steps.jacobian(step, theta, at.losses, at.jacobian);
  return at;
}

TEST(GeneralizedAdvantages, LimitsAreReturnsAndTemporalDifferences) {
  const std::vector<double> rewards = {1, 2, 4};
  const std::vector<double> values = {0.5, 0.25, 0.125};
  std::vector<double> advantages(3);
  generalized_advantages(rewards, values, 0.5, 1, advantages);
  EXPECT_THAT(advantages, ElementsAre(1 + 1 + 1 - 0.5, 2 + 2 - 0.25, 4 - 0.125));
  generalized_advantages(rewards, values, 0.5, 0, advantages);
  EXPECT_THAT(advantages, ElementsAre(1 + 0.125 - 0.5, 2 + 0.0625 - 0.25, 4 - 0.125));
}

TEST(KlController, MovesAtMostAFifthOfBatchOverHorizon) {
  KlController controller(0.2, 0.03, 100);
  controller.observe(3, 10);
  EXPECT_DOUBLE_EQ(controller.coefficient(), 0.2 * 1.02);
  controller.observe(0.03, 10);
  EXPECT_DOUBLE_EQ(controller.coefficient(), 0.2 * 1.02);
  controller.observe(-5, 10);
  EXPECT_DOUBLE_EQ(controller.coefficient(), 0.2 * 1.02 * 0.98);
}

TEST(ValueHeads, FitTheReturnsOfEachObjective) {
  ValueHeads heads(2, 2, 0.05);
  const std::vector<float> hidden = {1, 0, 0, 1};
  const std::vector<double> returns = {1, -1, 0.5, 2};
  EXPECT_THAT(heads.fit(hidden, returns, heads.values(hidden), 0), ElementsAre(0.5, (0.125 + 2) / 2));
  for (int step = 0; step < 400; ++step) heads.fit(hidden, returns, heads.values(hidden), 0);
  EXPECT_THAT(heads.values(hidden), Pointwise(DoubleNear(0.02), returns));
}

TEST(ValueHeads, AValueBeyondTheClipDoesNotMove) {
  ValueHeads heads(1, 1, 0.05);
  const std::vector<float> hidden = {1};
  heads.fit(hidden, std::vector{1.0}, std::vector{0.0}, 0.2);
  const double moved = heads.values(hidden)[0];
  EXPECT_GT(moved, 0);
  // The old value was far above: clipped to 9.8, whose loss is the larger one.
  ValueHeads other(1, 1, 0.05);
  EXPECT_THAT(other.fit(hidden, std::vector{1.0}, std::vector{10.0}, 0.2), ElementsAre(8.8 * 8.8 / 2));
  EXPECT_EQ(other.values(hidden)[0], 0);
}

/// -mean min(ratio A, clip(ratio) A) by its definition, as a function of theta.
TEST(PpoSteps, GradientIsThatOfTheLoss) {
  PpoOptions options = small_ppo();
  options.clip = 0.05;  // some tokens are cut off
  const std::vector<float> start = uneven_theta();
  const auto at_step_1 = [&](std::span<const float> theta) {
    PpoSteps steps = make_ppo(options);
    steps.start_round({1, 1, 0});
    gradients(steps, 0, start);
    return gradients(steps, 1, theta);
  };
  std::vector<float> theta = start;
  Random random({4, 0, 0}, "theta");
  for (float& value : theta) value += (static_cast<float>(random.below(64)) - 32) / 512;
  const Gradients exact = at_step_1(theta);
  constexpr float kStep = 1.F / 4096;
  int moved = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const float value = theta[i];
    theta[i] = value + kStep;
    const Gradients above = at_step_1(theta);
    theta[i] = value - kStep;
    const Gradients below = at_step_1(theta);
    theta[i] = value;
    for (std::size_t k = 0; k < 2; ++k) {
      const double difference = (above.losses[k] - below.losses[k]) / (2 * kStep);
      EXPECT_NEAR(exact.jacobian[k * theta.size() + i], difference, 1e-6);
      moved += std::abs(difference) > 1e-4 ? 1 : 0;
    }
  }
  EXPECT_GT(moved, 10);
}

TEST(PpoSteps, FirstStepsAreVanillaPolicyGradients) {
  // Where policy and old policy agree, all ratios are 1: the loss is minus the mean advantage.
  PpoOptions options = small_ppo();
  options.minibatch_size = options.batch_size;
  PpoSteps steps = make_ppo(options);
  steps.start_round({1, 1, 0});
  const std::vector<float> theta(kTokens * kTokens);
  const Gradients first = gradients(steps, 0, theta);
  EXPECT_THAT(first.losses, Pointwise(DoubleNear(1e-7), std::vector<double>(2, 0)));  // whitened: mean 0
  EXPECT_EQ(steps.figures().at("clipped")[0], 0);
}

// A_t = sum_l (gamma lambda)^l (reward - price log(policy / reference)) at t + l, written out: value heads begin at zero.
TEST(PpoSteps, AdvantagesAreThoseOfTheShapedRewards) {
  PpoOptions options = small_ppo();
  options.minibatch_size = options.batch_size;
  options.gamma = 0.9;
  options.gae_lambda = 0.8;
  options.kl_coefficient = 0.5;
  options.whiten_advantages = false;
  const auto task = std::make_shared<RecordingTask>();
  PpoSteps steps(std::make_shared<BigramLm>(kTokens), task, options, {4});
  steps.start_round({1, 1, 0});
  const Gradients first = gradients(steps, 0, uneven_theta());
  const std::vector<double> rewards = task->TokenTask::rewards({}, task->judged);
  std::vector<double> losses(2);
  std::vector<double> value_losses(2);
  double tokens = 0;
  for (const Completion& completion : task->judged) tokens += static_cast<double>(completion.ids.size());
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t b = 0; b < task->judged.size(); ++b) {
      const Completion& completion = task->judged[b];
      for (std::size_t t = 0; t < completion.ids.size(); ++t) {
        double advantage = 0;
        for (std::size_t s = t; s < completion.ids.size(); ++s) {
          const double shaped = (s + 1 == completion.ids.size() ? rewards[2 * b + k] : 0) -
                                0.5 * (double{completion.logprobs[s]} - completion.reference_logprobs[s]);
          advantage += std::pow(0.9 * 0.8, static_cast<double>(s - t)) * shaped;
        }
        losses[k] -= advantage / tokens;
        value_losses[k] += advantage * advantage / 2 / tokens;
      }
    }
  }
  EXPECT_LT(tokens, 8 * 6) << "some completions should have stopped early";
  EXPECT_THAT(first.losses, Pointwise(DoubleNear(1e-6), losses));
  EXPECT_THAT(steps.figures().at("value_loss"), Pointwise(DoubleNear(1e-6), value_losses));
  // Whitening is the policy's alone.
  options.whiten_advantages = true;
  PpoSteps whitened(std::make_shared<BigramLm>(kTokens), task, options, {4});
  whitened.start_round({1, 1, 0});
  EXPECT_THAT(gradients(whitened, 0, uneven_theta()).losses, Pointwise(DoubleNear(1e-6), std::vector<double>(2, 0)));
  EXPECT_EQ(whitened.figures().at("value_loss"), steps.figures().at("value_loss"));
}

/// Of every completion's tokens in turn: hidden states [N, H], and for each of two objectives the advantages [M, N] of its shaped
/// rewards against its values [M, N].
struct JudgedBatch {
  std::vector<float> hidden;
  std::vector<double> advantages;

  JudgedBatch(const RecordingTask& task, double price, const PpoOptions& options, const ValueHeads* critics) {
    std::size_t tokens = 0;
    for (const Completion& completion : task.judged) {
      hidden.insert(hidden.end(), completion.hidden.begin(), completion.hidden.end());
      tokens += completion.ids.size();
    }
    const std::vector<double> rewards = task.TokenTask::rewards({}, task.judged);
    const std::vector<double> values = critics != nullptr ? critics->values(hidden) : std::vector<double>(2 * tokens);
    advantages.resize(2 * tokens);
    for (std::size_t k = 0, at = 0; k < 2; ++k) {
      for (std::size_t b = 0; b < task.judged.size(); ++b) {
        const Completion& completion = task.judged[b];
        std::vector<double> shaped;
        for (std::size_t t = 0; t < completion.ids.size(); ++t) {
          shaped.push_back(-price * (double{completion.logprobs[t]} - completion.reference_logprobs[t]));
        }
        shaped.back() += rewards[2 * b + k];
        generalized_advantages(shaped, std::span(values).subspan(at, shaped.size()), options.gamma, options.gae_lambda,
                               std::span(advantages).subspan(at, shaped.size()));
        at += shaped.size();
      }
    }
  }
};

TEST(PpoSteps, AdvantagesAreAgainstEachObjectivesOwnCritic) {
  PpoOptions options = small_ppo();
  options.minibatch_size = options.batch_size;
  options.gamma = 0.9;
  options.gae_lambda = 0.8;
  options.whiten_advantages = false;
  options.critic_lr = 0.1;
  options.value_clip = 0;
  const auto task = std::make_shared<RecordingTask>();
  const std::vector<float> theta = uneven_theta();
  PpoSteps steps(std::make_shared<BigramLm>(kTokens), task, options, {4});
  steps.start_round({1, 1, 0});
  ValueHeads critics(2, kTokens, options.critic_lr);
  for (std::int64_t step = 0; step < options.steps_per_batch(); ++step) {
    gradients(steps, step, theta);
    // The returns of values that are zero are the advantages.
    const JudgedBatch batch(*task, steps.figures().at("kl_coefficient")[0], options, nullptr);
    critics.fit(batch.hidden, batch.advantages, batch.advantages, 0);
  }
  steps.start_round({1, 2, 0});
  const Gradients second = gradients(steps, 0, theta);
  const JudgedBatch batch(*task, steps.figures().at("kl_coefficient")[0], options, &critics);
  const std::size_t tokens = batch.advantages.size() / 2;
  std::vector<double> losses(2);
  for (std::size_t i = 0; i < 2 * tokens; ++i) losses[i / tokens] -= batch.advantages[i] / static_cast<double>(tokens);
  EXPECT_THAT(second.losses, Pointwise(DoubleNear(1e-6), losses));
  const std::vector<double> values = critics.values(batch.hidden);
  EXPECT_GT(std::abs(values[0] - values[tokens]), 1e-3) << "the objectives' critics differ";
}

TEST(PpoSteps, ValuesAreClippedWhereAskedFor) {
  const auto value_loss = [](double clip) {
    PpoOptions options = small_ppo();
    options.minibatch_size = options.batch_size;
    options.critic_lr = 0.1;
    options.value_clip = clip;
    PpoSteps steps = make_ppo(options);
    steps.start_round({1, 1, 0});
    for (int step = 0; step < 3; ++step) gradients(steps, step, uneven_theta());
    return steps.figures().at("value_loss")[0];
  };
  EXPECT_EQ(value_loss(10), value_loss(0));
  EXPECT_GT(value_loss(0.01), 1.02 * value_loss(0));
}

TEST(PpoSteps, DrawsAsConfigured) {
  PpoOptions options = small_ppo();
  options.temperature = 0.7;
  options.top_k = 3;
  options.top_p = 0.9;
  const auto model = std::make_shared<RecordingLm>(kTokens);
  PpoSteps steps(model, std::make_shared<TokenTask>(), options, {4});
  steps.start_round({1, 1, 0});
  gradients(steps, 0, uneven_theta());
  EXPECT_EQ(model->asked.max_new_tokens, 6);
  EXPECT_EQ(model->asked.temperature, 0.7);
  EXPECT_EQ(model->asked.top_k, 3);
  EXPECT_EQ(model->asked.top_p, 0.9);
  EXPECT_THAT(model->asked.stop, ElementsAre(4));
}

TEST(PpoSteps, MicrobatchesAddUpToTheMinibatch) {
  PpoOptions options = small_ppo();
  options.clip = 0.01;
  const auto steps_of = [&](std::int64_t microbatch) {
    options.microbatch = microbatch;
    PpoSteps steps = make_ppo(options);
    steps.start_round({1, 1, 0});
    std::vector<Gradients> found;
    std::vector<float> theta = uneven_theta();
    for (std::int64_t step = 0; step < 5; ++step) {
      found.push_back(gradients(steps, step, theta));
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= 0.5F * found.back().jacobian[i];
    }
    Record state;
    steps.save(state);
    return std::tuple(found, steps.figures(), state);
  };
  const auto [whole, figures, state] = steps_of(0);
  EXPECT_GT(figures.at("clipped")[0], 0);
  for (const std::int64_t microbatch : {1, 3, 4, 9}) {
    const auto [found, own_figures, own_state] = steps_of(microbatch);
    for (std::size_t step = 0; step < whole.size(); ++step) {
      EXPECT_THAT(found[step].jacobian, Pointwise(testing::FloatNear(2e-6F), whole[step].jacobian)) << microbatch << " " << step;
      EXPECT_THAT(found[step].losses, Pointwise(DoubleNear(1e-6), whole[step].losses));
    }
    EXPECT_NEAR(own_figures.at("clipped")[0], figures.at("clipped")[0], 1e-9);
    EXPECT_THAT(own_figures.at("value_loss"), Pointwise(DoubleNear(1e-6), figures.at("value_loss")));
    if (microbatch >= 4) {
      EXPECT_EQ(found.back().jacobian, whole.back().jacobian);
      EXPECT_EQ(own_state, state);
    }
  }
}

TEST(PpoSteps, OneObjectiveIsARowOfSeveral) {
  const std::vector<float> theta(kTokens * kTokens, 0.25F);
  PpoSteps one = make_ppo(small_ppo(), 1);
  PpoSteps two = make_ppo(small_ppo(), 2);
  one.start_round({1, 1, 0});
  two.start_round({1, 1, 0});
  for (int step = 0; step < 8; ++step) {
    const Gradients alone = gradients(one, step, theta);
    const Gradients both = gradients(two, step, theta);
    EXPECT_EQ(alone.losses[0], both.losses[0]);
    EXPECT_TRUE(std::equal(alone.jacobian.begin(), alone.jacobian.end(), both.jacobian.begin()));
  }
}

TEST(PpoSteps, StepsComeOnceAndInOrder) {
  const std::vector<float> theta(kTokens * kTokens, 0.25F);
  PpoSteps steps = make_ppo(small_ppo());
  EXPECT_THAT([&] { gradients(steps, 0, theta); }, ThrowsMessage<Error>(HasSubstr("expected step 0 of the round")));
  steps.start_round({1, 1, 0});
  gradients(steps, 0, theta);
  EXPECT_THAT([&] { gradients(steps, 0, theta); }, ThrowsMessage<Error>(HasSubstr("expected step 1 of the round, found 0")));
  EXPECT_THAT([&] { gradients(steps, 2, theta); }, ThrowsMessage<Error>(HasSubstr("expected step 1 of the round, found 2")));
}

TEST(PpoSteps, EveryCompletionCountsOncePerEpoch) {
  // Two minibatches of an epoch together have the gradient of the whole batch, weighted by their tokens.
  PpoOptions halves = small_ppo();
  PpoOptions whole = small_ppo();
  whole.minibatch_size = whole.batch_size;
  const std::vector<float> theta(kTokens * kTokens, 0.25F);
  PpoSteps in_two = make_ppo(halves);
  PpoSteps in_one = make_ppo(whole);
  in_two.start_round({1, 1, 0});
  in_one.start_round({1, 1, 0});
  const Gradients a = gradients(in_two, 0, theta);
  const Gradients b = gradients(in_two, 1, theta);
  const Gradients all = gradients(in_one, 0, theta);
  for (std::size_t i = 0; i < all.jacobian.size(); ++i) EXPECT_NEAR((a.jacobian[i] + b.jacobian[i]) / 2, all.jacobian[i], 1e-6);
}

TEST(PpoSteps, LearnsWhatIsRewarded) {
  PpoOptions options = small_ppo();
  options.batch_size = 32;
  options.minibatch_size = 16;
  options.kl_coefficient = 0;
  options.kl_target = 0;
  for (std::size_t wanted = 0; wanted < 2; ++wanted) {
    PpoSteps steps = make_ppo(options);
    std::vector<float> theta(kTokens * kTokens);
    double before = 0;
    for (std::uint32_t round = 1; round <= 30; ++round) {
      steps.start_round({1, round, 0});
      for (int step = 0; step < options.steps_per_batch(); ++step) {
        const Gradients at = gradients(steps, step, theta);
        for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= 2 * at.jacobian[wanted * theta.size() + i];
      }
      if (round == 1) before = steps.figures().at("reward")[wanted];
    }
    EXPECT_LT(before, 0.35);
    EXPECT_GT(steps.figures().at("reward")[wanted], 0.8);
    EXPECT_LT(steps.figures().at("reward")[1 - wanted], 0.2);
  }
}

TEST(PpoSteps, ThePriceOfKlHoldsThePolicyBack) {
  const auto kl_after = [](double coefficient) {
    PpoOptions options = small_ppo();
    options.batch_size = 32;
    options.minibatch_size = 16;
    options.kl_coefficient = coefficient;
    options.kl_target = 0;
    PpoSteps steps = make_ppo(options);
    std::vector<float> theta(kTokens * kTokens);
    for (std::uint32_t round = 1; round <= 20; ++round) {
      steps.start_round({1, round, 0});
      for (int step = 0; step < options.steps_per_batch(); ++step) {
        const Gradients at = gradients(steps, step, theta);
        for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= at.jacobian[i];
      }
    }
    return steps.figures().at("kl")[0];
  };
  EXPECT_GT(kl_after(0), 2 * kl_after(1));
}

/// Of one batch the mean KL per token and the tokens per completion, and the coefficient of KL after it.
std::array<double, 3> controlled(const PpoOptions& options) {
  PpoSteps steps = make_ppo(options);
  std::array<double, 3> found{};
  for (std::uint32_t round = 1; round <= 2; ++round) {
    steps.start_round({1, round, 0});
    gradients(steps, 0, uneven_theta());
    const auto figures = steps.figures();
    if (round == 1) found = {figures.at("kl")[0], figures.at("response_length")[0], 0};
    found[2] = figures.at("kl_coefficient")[0];
  }
  return found;
}

TEST(PpoSteps, TheTargetOfKlIsPerTokenOrPerSequence) {
  PpoOptions options = small_ppo();
  options.kl_coefficient = 1;
  options.kl_horizon = static_cast<double>(options.batch_size);
  const auto [kl, length, unused] = controlled(options);
  ASSERT_GT(length, 1);
  options.kl_target = 0.9 * kl;
  EXPECT_NEAR(controlled(options)[2], 1 / 0.9, 1e-9) << "within the controller's bounds";
  options.kl_target_per = "sequence";
  EXPECT_NEAR(controlled(options)[2], 1.2, 1e-9) << "far above the target";
  options.kl_target = 0.9 * kl * length;
  EXPECT_NEAR(controlled(options)[2], 1 / 0.9, 1e-9);
}

TEST(PpoSteps, SavedStepsGoOnAsIfNothingHappened) {
  const std::vector<float> theta = uneven_theta();  // off the reference, so that the price of KL counts
  PpoOptions options = small_ppo();
  options.kl_horizon = 10;
  PpoSteps whole = make_ppo(options);
  PpoSteps before = make_ppo(options);
  for (PpoSteps* steps : {&whole, &before}) {
    steps->start_round({1, 1, 0});
    for (int step = 0; step < 6; ++step) gradients(*steps, step, theta);
  }
  Record state;
  before.save(state);
  PpoSteps after = make_ppo(options);
  after.load(state);
  PpoSteps fresh = make_ppo(options);
  for (PpoSteps* steps : {&whole, &after, &fresh}) steps->start_round({1, 2, 0});
  const Gradients expected = gradients(whole, 0, theta);
  EXPECT_EQ(gradients(after, 0, theta).jacobian, expected.jacobian);
  EXPECT_NE(gradients(fresh, 0, theta).jacobian, expected.jacobian);
}

TEST(PpoSteps, RejectsRewardsThatAreNoNumbers) {
  PpoSteps steps(std::make_shared<BigramLm>(kTokens), std::make_shared<TokenTask>(2, std::numeric_limits<double>::infinity()), small_ppo(),
                 {});
  steps.start_round({1, 1, 0});
  const std::vector<float> theta(kTokens * kTokens);
  EXPECT_THAT([&] { gradients(steps, 0, theta); }, ThrowsMessage<Error>(HasSubstr("expected finite rewards, found inf for objective 0")));
}

}  // namespace
}  // namespace paretofl
