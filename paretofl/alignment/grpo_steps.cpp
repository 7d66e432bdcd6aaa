#include "paretofl/alignment/grpo_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/alignment/drawing_weights.h"
#include "paretofl/alignment/drawn_prompts.h"
#include "paretofl/alignment/grpo_loss.h"
#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Questions that are answered in one batch.
constexpr std::size_t kEvaluationBatch = 64;

GrpoRule rule_of(const GrpoOptions& options) {
  const bool cispo = options.loss_type == "cispo";
  GrpoRule rule{.type = parse_loss_type(options.loss_type),
                .level = parse_ratio_level(options.importance_sampling_level),
                .low = options.clip,
                .high = options.epsilon_high > 0 ? options.epsilon_high : options.clip,
                .kl_coefficient = options.kl_coefficient};
  expect(!cispo || options.epsilon_high > 0, "grpo.epsilon_high: expected the largest ratio, above 0, with loss_type cispo, found {}",
         options.epsilon_high);
  if (options.delta == 0) return rule;
  expect(!cispo, "grpo.delta: expected 0 with loss_type cispo, which has one bound, epsilon_high, found {}", options.delta);
  expect(options.delta > 1 + rule.high, "grpo.delta: expected 0, or more than the ratio's upper bound {}, found {}", 1 + rule.high,
         options.delta);
  rule.delta = options.delta;
  return rule;
}

AdvantageRule advantages_of(const GrpoOptions& options) {
  const AdvantageRule rule{.mode = parse_advantage_mode(options.advantages),
                           .scale = parse_reward_scale(options.scale_rewards),
                           .unbiased = options.unbiased_deviation};
  expect(rule.mode == AdvantageMode::kSumThenNormalize || rule.scale == RewardScale::kGroup,
         "grpo.scale_rewards: expected group with advantages normalize_then_sum, found {}", options.scale_rewards);
  return rule;
}

}  // namespace

GrpoSteps::GrpoSteps(std::shared_ptr<const CausalLm> model, std::shared_ptr<const QuestionTask> task, const GrpoOptions& options,
                     std::vector<TokenId> stop, CompletionEnds ends, Listener listener)
    : model_(std::move(model)),
      task_(std::move(task)),
      options_(options),
      advantages_(advantages_of(options)),
      rule_(rule_of(options)),
      sampling_{.max_new_tokens = options.max_new_tokens,
                .temperature = options.temperature,
                .top_k = options.top_k,
                .top_p = options.top_p,
                .min_p = options.min_p,
                .stop = std::move(stop),
                .ends = std::move(ends),
                .weights = parse_generation_weights(options.generation_weights)},
      listener_(std::move(listener)) {
  expect(task_->num_prompts() > 0, "grpo: expected a client with prompts, found none");
  expect(kinds() > 0 && task_->reward_names().size() == kinds(), "grpo: expected a name for each of {} rewards, at least one, found {}",
         kinds(), task_->reward_names().size());
  expect(options.hidden_layer < model_->config().num_hidden_layers,
         "grpo.hidden_layer: expected one of the model's {} layers, counted from 0, or -1, found {}", model_->config().num_hidden_layers,
         options.hidden_layer);
  expect_draws_with(*model_, sampling_.weights, "grpo");
  expect(!options.sync_ref_model || options.kl_coefficient > 0,
         "grpo.sync_ref_model: expected false where kl_coefficient is 0, as no reference is asked, found true");
}

void GrpoSteps::expect_local_steps(std::int64_t local_steps) const {
  expect(
      local_steps % options_.steps_per_generation == 0,
      "strategy.local_steps: expected a multiple of the {} steps of workload.grpo.steps_per_generation, as completions of a draw that no "
      "step is left for would be wasted, found {}",
      options_.steps_per_generation, local_steps);
}

void GrpoSteps::start_round(StreamId stream) {
  stream_ = stream;
  last_step_ = -1;
  sums_ = {};
  sums_.rewards.resize(kinds());
  sums_.deviations.resize(kinds());
  sums_.flat_groups.resize(kinds());
}

void GrpoSteps::follow(std::int64_t step, std::span<const float> theta) {
  if (step == 0) {
    reference_.assign(theta.begin(), theta.end());
  } else if (step % options_.ref_model_sync_steps == 0) {
    const double alpha = options_.ref_model_mixup_alpha;
    for (std::size_t i = 0; i < theta.size(); ++i) reference_[i] = static_cast<float>(alpha * theta[i] + (1 - alpha) * reference_[i]);
  }
}

std::vector<std::vector<float>> GrpoSteps::logprobs(const DrawnCompletions& drawn, std::span<const float> adapter) const {
  return model_->logprobs(drawn.sequences, adapter, own_ratios() ? options_.temperature : 1);
}

GrpoSteps::Draw GrpoSteps::draw(const Random& random, std::span<const float> theta) const {
  Random draws = random.substream("prompts");
  const auto distinct = static_cast<std::size_t>(options_.prompts * options_.steps_per_generation);
  const auto group = static_cast<std::size_t>(options_.completions);
  Draw drawn;
  std::vector<TokenIds> prompts;  // [B]
  for (const std::size_t i : drawn_prompts(draws, task_->num_prompts(), distinct)) {
    drawn.chosen.insert(drawn.chosen.end(), group, i);
    prompts.insert(prompts.end(), group, task_->prompt(i));
  }
  const bool from_base = options_.kl_coefficient > 0 && !options_.sync_ref_model;
  drawn.completions = model_->generate(prompts, theta, sampling_, {.reference_logprobs = from_base && !rounds(), .tempered = own_ratios()},
                                       random.substream("tokens"));
  const bool takes_reference = options_.sync_ref_model || (from_base && rounds());
  const bool takes_own = rounds() && !own_ratios() && !first_pass_is_old();
  if (takes_reference || takes_own) {
    const DrawnCompletions sequences(std::move(prompts), drawn.completions);
    if (takes_reference) {
      auto reference = logprobs(sequences, reference_);  // empty: the base model
      for (std::size_t b = 0; b < reference.size(); ++b) drawn.completions[b].reference_logprobs = std::move(reference[b]);
    }
    if (takes_own) {
      auto own = logprobs(sequences, theta);
      for (std::size_t b = 0; b < own.size(); ++b) drawn.completions[b].logprobs = std::move(own[b]);
    }
  }
  drawn.rewards = task_->rewards(drawn.chosen, drawn.completions);
  const std::size_t size = drawn.completions.size();
  expect(drawn.rewards.size() == size * kinds(), "grpo: expected {} x {} rewards, found {}", size, kinds(), drawn.rewards.size());
  return drawn;
}

GrpoSteps::Draw GrpoSteps::without_flat_prompts(Draw drawn, const Random& random, std::span<const float> theta,
                                                std::span<const double> weights) {
  const auto group = static_cast<std::size_t>(options_.completions);
  const std::size_t size = drawn.completions.size();
  Draw kept, flat;
  const auto take = [&](Draw& from, std::size_t first, Draw& to) {
    for (std::size_t b = first; b < first + group; ++b) {
      to.chosen.push_back(from.chosen[b]);
      to.completions.push_back(std::move(from.completions[b]));
      for (std::size_t k = 0; k < kinds(); ++k) to.rewards.push_back(from.rewards[b * kinds() + k]);
    }
  };
  for (std::int64_t redraw = 0;; ++redraw) {
    for (std::size_t first = 0; first < size && kept.chosen.size() < size; first += group) {
      const auto rewards = std::span<const double>(drawn.rewards).subspan(first * kinds(), group * kinds());
      take(drawn, first, group_advantages(rewards, weights, group, advantages_).flat_groups > 0 ? flat : kept);
    }
    if (kept.chosen.size() == size || redraw == options_.dynamic_sampling) break;
    drawn = draw(random.substream("redraw", static_cast<std::uint64_t>(redraw)), theta);
    note_draw(drawn);
    sums_.redraws += 1;
  }
  for (std::size_t first = 0; kept.chosen.size() < size; first += group) take(flat, first, kept);
  return kept;
}

void GrpoSteps::draw_batch(std::int64_t number, std::span<const float> theta, std::span<const double> weights) {
  const Random random = Random(*stream_, "completions").substream("batch", static_cast<std::uint64_t>(number));
  Draw drawn = draw(random, theta);
  note_draw(drawn);
  if (options_.dynamic_sampling > 0) drawn = without_flat_prompts(std::move(drawn), random, theta, weights);
  if (listener_) listener_(*stream_, drawn.chosen, drawn.completions, drawn.rewards);
  std::vector<std::size_t> order(drawn.completions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options_.steps_per_generation > 1) random.substream("steps").shuffle(std::span(order));
  std::vector<TokenIds> prompts;
  std::vector<Completion> completions;
  for (const std::size_t b : order) {
    prompts.push_back(task_->prompt(drawn.chosen[b]));
    completions.push_back(std::move(drawn.completions[b]));
  }
  batch_ = {.drawn = DrawnCompletions(std::move(prompts), completions),
            .reference = {},
            .rewards = std::move(drawn.rewards),
            .order = std::move(order)};
  for (const Completion& completion : completions) {
    batch_.reference.insert(batch_.reference.end(), completion.reference_logprobs.begin(), completion.reference_logprobs.end());
  }
}

void GrpoSteps::note_draw(const Draw& draw) {
  const std::size_t size = draw.completions.size();
  const auto count = static_cast<double>(size);
  const auto group = static_cast<std::size_t>(options_.completions);
  for (std::size_t k = 0; k < kinds(); ++k) {
    const auto reward = [&](std::size_t b) { return draw.rewards[b * kinds() + k]; };
    double mean = 0, variance = 0;
    for (std::size_t b = 0; b < size; ++b) {
      sums_.rewards[k] += reward(b) / count;
      mean += reward(b) / count;
    }
    for (std::size_t b = 0; b < size; ++b) variance += (reward(b) - mean) * (reward(b) - mean) / count;
    sums_.deviations[k] += std::sqrt(variance);
    for (std::size_t first = 0; first < size; first += group) {
      bool differ = false;
      for (std::size_t b = first + 1; b < first + group; ++b) differ = differ || reward(b) != reward(first);
      sums_.flat_groups[k] += differ ? 0 : static_cast<double>(group) / count;
    }
  }
  std::size_t tokens = 0, shortest = draw.completions.front().ids.size(), longest = 0;
  for (const Completion& completion : draw.completions) {
    tokens += completion.ids.size();
    shortest = std::min(shortest, completion.ids.size());
    longest = std::max(longest, completion.ids.size());
    sums_.truncated += completion.stopped ? 0 : 1 / count;
  }
  sums_.draws += 1;
  sums_.response_length += static_cast<double>(tokens) / count;
  sums_.shortest += static_cast<double>(shortest);
  sums_.longest += static_cast<double>(longest);
}

void GrpoSteps::note_training_logprobs(const Random& dropout, std::span<const float> theta) {
  std::vector<float> unused(theta.size());
  const std::size_t part = static_cast<std::size_t>(options_.microbatch);
  for (std::size_t base = 0; base < batch_.order.size(); base += batch_size()) {
    for (std::size_t first = base; first < base + batch_size(); first += part) {
      const std::size_t last = std::min(first + part, base + batch_size());
      const Random masks = dropout.substream("microbatch", first);
      model_->jacobian(std::span(batch_.drawn.sequences).subspan(first, last - first), theta, &masks,
                       [&](const CompletionTokens& pass, std::span<double>) {
                         std::copy(pass.logprobs.begin(), pass.logprobs.end(),
                                   batch_.drawn.logprobs.begin() + static_cast<std::ptrdiff_t>(batch_.drawn.begin[first]));
                       },
                       unused, {}, {.temperature = options_.temperature});
    }
  }
}

double GrpoSteps::step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
                       std::span<double> hidden) {
  expect(stream_.has_value(), "grpo: expected a round to be started before step {}, found none", step);
  expect(step == last_step_ + 1, "grpo: expected step {} of the round, found {}", last_step_ + 1, step);
  expect(weights.size() == kinds(), "grpo: expected {} weights, found {}", kinds(), weights.size());
  expect(hidden.empty() || hidden.size() == kinds() * hidden_size(), "grpo: expected room for {} x {} activation gradients, found {}",
         kinds(), hidden_size(), hidden.size());
  last_step_ = step;
  if (options_.sync_ref_model) follow(step, theta);
  const std::int64_t parts = options_.steps_per_generation;
  const std::int64_t steps_of_draw = options_.iterations * parts;
  const std::int64_t number = step / steps_of_draw;
  const bool draws = step % steps_of_draw == 0;
  if (draws) draw_batch(number, theta, weights);
  const Random masks_of_round(*stream_, "dropout");
  const Random dropout = own_ratios() ? masks_of_round.substream("batch", static_cast<std::uint64_t>(number))
                                      : masks_of_round.substream("step", static_cast<std::uint64_t>(step));
  if (draws && own_ratios() && parts > 1) note_training_logprobs(dropout, theta);

  // The weighted rewards' advantages first, then each reward's own.
  const auto group = static_cast<std::size_t>(options_.completions);
  const auto of_steps = [&](const std::vector<double>& by_prompt) {
    std::vector<double> ordered;
    for (const std::size_t b : batch_.order) ordered.push_back(by_prompt[b]);
    return ordered;
  };
  const GroupAdvantages weighted = group_advantages(batch_.rewards, weights, group, advantages_);
  std::vector<std::vector<double>> advantages = {of_steps(weighted.advantages)};
  for (std::size_t k = 0; k < (hidden.empty() ? 0 : kinds()); ++k) {
    std::vector<double> alone(kinds());
    alone[k] = 1;
    advantages.push_back(of_steps(group_advantages(batch_.rewards, alone, group, advantages_).advantages));
  }

  // The completions of this step, [base, base + size) of the drawn ones.
  const std::size_t size = batch_size();
  const std::size_t base = static_cast<std::size_t>(step % parts) * size;
  std::vector<std::size_t> all_lengths;
  std::vector<bool> counted;
  for (std::size_t b = base; b < base + size; ++b) {
    all_lengths.push_back(batch_.drawn.begin[b + 1] - batch_.drawn.begin[b]);
    counted.push_back(!options_.mask_truncated_completions || batch_.drawn.stopped[b]);
  }
  const std::vector<double> shares = token_shares(rule_.type, all_lengths, counted, options_.max_new_tokens);
  double tokens = 0;  // that count
  for (std::size_t b = 0; b < size; ++b) tokens += counted[b] ? static_cast<double>(all_lengths[b]) : 0;
  const bool counts = tokens > 0;
  tokens = std::max(tokens, 1.0);
  GrpoRule reward_rule = rule_;  // no price of KL, which is no reward's
  reward_rule.kl_coefficient = 0;
  const auto part = static_cast<std::size_t>(options_.microbatch);
  const bool sets_old = draws && first_pass_is_old();
  std::vector<float> part_gradient(gradient.size());
  std::vector<double> part_hidden(hidden.size());
  std::fill(gradient.begin(), gradient.end(), 0.F);
  std::fill(hidden.begin(), hidden.end(), 0.0);
  GrpoLoss total;
  double entropy = 0;
  for (std::size_t first = 0; first < size; first += part) {
    const std::size_t last = std::min(first + part, size);
    const std::size_t begin = batch_.drawn.begin[base + first];
    const std::size_t count = batch_.drawn.begin[base + last] - begin;
    std::vector<double> entropy_slopes;  // of the loss
    for (std::size_t b = first; options_.entropy_coef > 0 && b < last; ++b) {
      entropy_slopes.insert(entropy_slopes.end(), all_lengths[b], counted[b] ? -options_.entropy_coef / tokens : 0);
    }
    const Random masks = dropout.substream("microbatch", own_ratios() ? base + first : first);
    model_->jacobian(std::span(batch_.drawn.sequences).subspan(base + first, last - first), theta, &masks,
                     [&](const CompletionTokens& pass, std::span<double> derivatives) {
                       const std::span<double> old = std::span(batch_.drawn.logprobs).subspan(begin, count);
                       if (sets_old) std::copy(pass.logprobs.begin(), pass.logprobs.end(), old.begin());
                       std::size_t i = 0;
                       for (std::size_t b = first; b < last; ++b) {
                         for (const std::size_t end = i + all_lengths[b]; i < end; ++i) entropy += counted[b] ? pass.entropies[i] : 0;
                       }
                       const std::span<const double> reference(batch_.reference);
                       const GrpoTokens drawn{.logprobs = pass.logprobs,
                                              .old_logprobs = old,
                                              .reference = reference.empty() ? reference : reference.subspan(begin, count),
                                              .lengths = std::span(all_lengths).subspan(first, last - first),
                                              .shares = std::span(shares).subspan(first, last - first)};
                       for (std::size_t row = 0; row < advantages.size(); ++row) {
                         const GrpoLoss loss = grpo_loss(drawn, std::span(advantages[row]).subspan(base + first, last - first),
                                                         row == 0 ? rule_ : reward_rule, derivatives.subspan(row * count, count));
                         if (row > 0) continue;
                         total.loss += loss.loss;
                         total.clipped += loss.clipped;
                         total.log_ratio += loss.log_ratio;
                         total.clipped_low += loss.clipped_low;
                         total.clipped_high += loss.clipped_high;
                         total.kl += loss.kl;
                       }
                     },
                     part_gradient, {.layer = options_.hidden_layer, .rows = part_hidden},
                     {.temperature = own_ratios() ? options_.temperature : 1, .entropies = true, .entropy_slopes = entropy_slopes});
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += part_gradient[i];
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] += part_hidden[i];
  }
  if (options_.entropy_coef > 0) total.loss -= options_.entropy_coef * entropy / tokens;
  sums_.entropy += entropy / tokens;
  sums_.log_ratio += total.log_ratio / tokens;
  sums_.steps += 1;
  sums_.counted_steps += counts ? 1 : 0;
  sums_.flat_prompts += static_cast<double>(weighted.flat_groups * group) / static_cast<double>(batch_.order.size());
  sums_.clipped += total.clipped / tokens;
  sums_.clipped_low += total.clipped_low / tokens;
  sums_.clipped_high += total.clipped_high / tokens;
  sums_.kl += total.kl / tokens;
  return total.loss;
}

std::map<std::string, std::vector<double>> GrpoSteps::figures() const {
  std::map<std::string, std::vector<double>> figures{{"reward", sums_.rewards},
                                                     {"reward_deviation", sums_.deviations},
                                                     {"flat_groups", sums_.flat_groups},
                                                     {"response_length", {sums_.response_length}},
                                                     {"shortest_response", {sums_.shortest}},
                                                     {"longest_response", {sums_.longest}},
                                                     {"truncated", {sums_.truncated}}};
  for (auto& [name, values] : figures) {
    for (double& value : values) value /= sums_.draws;
  }
  figures["flat_prompts"] = {sums_.flat_prompts / sums_.steps};
  const double counted = std::max(sums_.counted_steps, 1.0);
  const std::map<std::string, double> of_tokens{{"clipped", sums_.clipped},
                                                {"clipped_low", sums_.clipped_low},
                                                {"clipped_high", sums_.clipped_high},
                                                {"entropy", sums_.entropy},
                                                {"log_ratio", sums_.log_ratio}};
  for (const auto& [name, sum] : of_tokens) figures[name] = {sum / counted};
  if (options_.kl_coefficient > 0) figures["kl"] = {sums_.kl / counted};
  if (options_.dynamic_sampling > 0) figures["redraws"] = {sums_.redraws / (sums_.draws - sums_.redraws)};
  return figures;
}

std::vector<double> GrpoSteps::evaluate(std::span<const float> theta) const {
  const QuestionTask* held_out = task_->held_out();
  expect(held_out != nullptr && held_out->num_prompts() > 0, "grpo: expected questions to evaluate on, found none");
  Sampling most_probable = sampling_;
  most_probable.temperature = 0;
  most_probable.weights = GenerationWeights::kFloat32;
  std::vector<double> sums(kinds());
  for (std::size_t first = 0; first < held_out->num_prompts(); first += kEvaluationBatch) {
    std::vector<std::size_t> indices;
    std::vector<TokenIds> prompts;
    for (std::size_t i = first; i < std::min(first + kEvaluationBatch, held_out->num_prompts()); ++i) {
      indices.push_back(i);
      prompts.push_back(held_out->prompt(i));
    }
    const auto completions = model_->generate(prompts, theta, most_probable, {}, Random({0, 0, kServerStream}, "most probable"));
    const std::vector<double> rewards = held_out->rewards(indices, completions);
    for (std::size_t i = 0; i < rewards.size(); ++i) sums[i % kinds()] += rewards[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(held_out->num_prompts());
  return sums;
}

}  // namespace paretofl
