#include "paretofl/alignment/ppo_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/alignment/drawing_weights.h"
#include "paretofl/alignment/drawn_prompts.h"
#include "paretofl/alignment/generalized_advantages.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Mean 0 and variance 1.
void whiten(std::span<double> values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean) / n;
  const double scale = 1 / std::sqrt(variance + 1e-8);
  for (double& value : values) value = (value - mean) * scale;
}

std::vector<float> joined(const std::vector<std::vector<float>>& parts) {
  std::vector<float> all;
  for (const std::vector<float>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

PpoSteps::PpoSteps(std::shared_ptr<const CausalLm> model, std::shared_ptr<const CompletionTask> task, const PpoOptions& options,
                   std::vector<TokenId> stop, CompletionEnds ends)
    : model_(std::move(model)),
      task_(std::move(task)),
      options_(options),
      sampling_{.max_new_tokens = options.max_new_tokens,
                .temperature = options.temperature,
                .top_k = options.top_k,
                .top_p = options.top_p,
                .stop = std::move(stop),
                .ends = std::move(ends),
                .weights = parse_generation_weights(options.generation_weights)},
      critics_(task_->num_objectives(), static_cast<std::size_t>(model_->config().hidden_size), options.critic_lr),
      kl_(options.kl_coefficient, options.kl_target, options.kl_horizon) {
  expect(task_->num_prompts() > 0, "ppo: expected a client with prompts, found none");
  expect_draws_with(*model_, sampling_.weights, "ppo");
}

void PpoSteps::start_round(StreamId stream) {
  stream_ = stream;
  last_step_ = -1;
  figures_.clear();
}

void PpoSteps::draw_batch(std::int64_t number, std::span<const float> theta) {
  const Random random = Random(*stream_, "completions").substream("batch", static_cast<std::uint64_t>(number));
  Random draws = random.substream("prompts");
  const auto size = static_cast<std::size_t>(options_.batch_size);
  const std::vector<std::size_t> chosen = drawn_prompts(draws, task_->num_prompts(), size);
  std::vector<TokenIds> prompts;
  for (const std::size_t i : chosen) prompts.push_back(task_->prompt(i));
  const bool policy_draws = sampling_.weights == GenerationWeights::kFloat32;
  const std::vector<Completion> completions =
      model_->generate(prompts, theta, sampling_, {.reference_logprobs = policy_draws, .hidden = policy_draws}, random.substream("tokens"));

  batch_.drawn = DrawnCompletions(std::move(prompts), completions);
  policy_draws ? take_sampled_terms(completions) : take_policy_terms(theta);
  set_advantages(task_->rewards(chosen, completions));
}

void PpoSteps::take_sampled_terms(std::span<const Completion> completions) {
  std::vector<float> hidden;
  std::vector<float> reference;
  for (const Completion& completion : completions) {
    hidden.insert(hidden.end(), completion.hidden.begin(), completion.hidden.end());
    reference.insert(reference.end(), completion.reference_logprobs.begin(), completion.reference_logprobs.end());
  }
  set_terms(hidden, reference);
}

void PpoSteps::take_policy_terms(std::span<const float> theta) {
  std::vector<float> hidden;
  const std::vector<float> policy = joined(model_->logprobs(batch_.drawn.sequences, theta, 1, &hidden));
  batch_.drawn.logprobs.assign(policy.begin(), policy.end());
  set_terms(hidden, joined(model_->logprobs(batch_.drawn.sequences, {})));
}

void PpoSteps::set_terms(std::span<const float> hidden, std::span<const float> reference) {
  batch_.values = critics_.values(hidden);
  batch_.log_ratios = batch_.drawn.logprobs;
  for (std::size_t i = 0; i < reference.size(); ++i) batch_.log_ratios[i] -= reference[i];
}

void PpoSteps::set_advantages(std::span<const double> rewards) {
  const std::size_t objectives = num_objectives();
  const std::size_t completions = batch_.drawn.sequences.size();
  const std::size_t tokens = batch_.drawn.tokens();
  expect(rewards.size() == completions * objectives, "ppo: expected {} x {} rewards, found {}", completions, objectives, rewards.size());
  const std::vector<double>& kl = batch_.log_ratios;
  batch_.advantages.resize(objectives * tokens);
  std::vector<double> mean_rewards(objectives);
  std::vector<double> shaped(tokens);
  for (std::size_t k = 0; k < objectives; ++k) {
    for (std::size_t i = 0; i < tokens; ++i) shaped[i] = -kl_.coefficient() * kl[i];
    for (std::size_t b = 0; b < completions; ++b) {
      const double reward = rewards[b * objectives + k];
      expect(std::isfinite(reward), "ppo: expected finite rewards, found {} for objective {}", reward, k);
      mean_rewards[k] += reward / static_cast<double>(completions);
      const std::size_t begin = batch_.drawn.begin[b];
      const std::size_t length = batch_.drawn.begin[b + 1] - begin;
      shaped[begin + length - 1] += reward;
      generalized_advantages(std::span(shaped).subspan(begin, length), std::span(batch_.values).subspan(k * tokens + begin, length),
                             options_.gamma, options_.gae_lambda, std::span(batch_.advantages).subspan(k * tokens + begin, length));
    }
  }
  batch_.returns = batch_.values;
  for (std::size_t i = 0; i < batch_.returns.size(); ++i) batch_.returns[i] += batch_.advantages[i];
  if (options_.whiten_advantages) {
    for (std::size_t k = 0; k < objectives; ++k) whiten(std::span(batch_.advantages).subspan(k * tokens, tokens));
  }
  const double sum_kl = std::accumulate(kl.begin(), kl.end(), 0.0);
  note("reward", mean_rewards);
  note("kl", std::vector{sum_kl / static_cast<double>(tokens)});
  note("kl_coefficient", std::vector{kl_.coefficient()});
  note("response_length", std::vector{static_cast<double>(tokens) / static_cast<double>(completions)});
  kl_.observe(sum_kl / static_cast<double>(options_.kl_target_per == "sequence" ? completions : tokens), static_cast<double>(completions));
}

PpoSteps::Minibatch PpoSteps::minibatch(std::int64_t step) const {
  const std::int64_t in_batch = step % options_.steps_per_batch();
  Random order = Random(*stream_, "minibatches").substream("pass", static_cast<std::uint64_t>(step / options_.minibatches()));
  std::vector<std::size_t> rows(batch_.drawn.sequences.size());
  std::iota(rows.begin(), rows.end(), 0);
  order.shuffle(std::span(rows));
  const auto first = static_cast<std::size_t>(in_batch % options_.minibatches() * options_.minibatch_size);
  const std::size_t last = std::min(first + static_cast<std::size_t>(options_.minibatch_size), rows.size());
  Minibatch part;
  for (std::size_t r = first; r < last; ++r) {
    part.sequences.push_back(batch_.drawn.sequences[rows[r]]);
    for (std::size_t i = batch_.drawn.begin[rows[r]]; i < batch_.drawn.begin[rows[r] + 1]; ++i) part.tokens.push_back(i);
  }
  return part;
}

std::vector<double> PpoSteps::at(const std::vector<double>& of_batch, const Minibatch& part) const {
  const std::size_t objectives = of_batch.size() / batch_.drawn.tokens();
  std::vector<double> values;
  values.reserve(objectives * part.tokens.size());
  for (std::size_t k = 0; k < objectives; ++k) {
    for (const std::size_t i : part.tokens) values.push_back(of_batch[k * batch_.drawn.tokens() + i]);
  }
  return values;
}

void PpoSteps::jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) {
  expect(stream_.has_value() && step == last_step_ + 1, "ppo: expected step {} of the round, found {}", last_step_ + 1, step);
  last_step_ = step;
  if (step % options_.steps_per_batch() == 0) draw_batch(step / options_.steps_per_batch(), theta);
  const Minibatch part = minibatch(step);
  const std::vector<double> old_logprobs = at(batch_.drawn.logprobs, part);
  const std::vector<double> advantages = at(batch_.advantages, part);
  const std::size_t n = part.tokens.size();
  const std::size_t most = options_.microbatch > 0 ? static_cast<std::size_t>(options_.microbatch) : part.sequences.size();
  const Random dropout = Random(*stream_, "dropout").substream("step", static_cast<std::uint64_t>(step));
  std::fill(losses.begin(), losses.end(), 0);
  double clipped = 0;
  std::vector<float> hidden;  // [n, H]
  std::vector<float> later;   // the jacobian of a microbatch after the first one
  std::size_t begin = 0;      // its first token among the n
  for (std::size_t first = 0; first < part.sequences.size(); first += most) {
    const auto sequences = std::span(part.sequences).subspan(first, std::min(most, part.sequences.size() - first));
    const Random masks = sequences.size() == part.sequences.size() ? dropout : dropout.substream("microbatch", first);
    later.resize(first == 0 ? 0 : jacobian.size());
    std::size_t count = 0;
    model_->jacobian(
        sequences, theta, &masks,
        [&](const CompletionTokens& tokens, std::span<double> gradients) {
          count = tokens.logprobs.size();
          for (std::size_t k = 0; k < num_objectives(); ++k) {
            for (std::size_t i = 0; i < count; ++i) {
              const double advantage = advantages[k * n + begin + i];
              const double ratio = std::exp(tokens.logprobs[i] - old_logprobs[begin + i]);
              const double surrogate = std::min(ratio * advantage, std::clamp(ratio, 1 - options_.clip, 1 + options_.clip) * advantage);
              const bool cut = surrogate < ratio * advantage;
              losses[k] -= surrogate / static_cast<double>(n);
              gradients[k * count + i] = cut ? 0 : -ratio * advantage / static_cast<double>(n);
              clipped += cut ? 1 / static_cast<double>(n * num_objectives()) : 0;
            }
          }
          hidden.insert(hidden.end(), tokens.hidden.begin(), tokens.hidden.end());
        },
        first == 0 ? jacobian : std::span(later));
    for (std::size_t i = 0; i < later.size(); ++i) jacobian[i] += later[i];
    begin += count;
  }
  note("value_loss", critics_.fit(hidden, at(batch_.returns, part), at(batch_.values, part), options_.value_clip));
  note("clipped", std::vector{clipped});
}

void PpoSteps::note(const char* figure, std::span<const double> values) {
  Mean& mean = figures_[figure];
  mean.sum.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) mean.sum[i] += values[i];
  mean.count += 1;
}

std::map<std::string, std::vector<double>> PpoSteps::figures() const {
  std::map<std::string, std::vector<double>> means;
  for (const auto& [name, mean] : figures_) {
    std::vector<double>& values = means[name] = mean.sum;
    for (double& value : values) value /= mean.count;
  }
  return means;
}

void PpoSteps::save(Record& state) const {
  state.records.insert_or_assign("critics", critics_.save());
  state.scalars.insert_or_assign("kl_coefficient", kl_.coefficient());
}

void PpoSteps::load(const Record& state) {
  critics_.load(state.record("critics"));
  const double coefficient = state.scalar("kl_coefficient");
  expect(std::isfinite(coefficient) && coefficient >= 0, "ppo: expected a price of KL of at least 0, found {}", coefficient);
  kl_.restore(coefficient);
}

}  // namespace paretofl
