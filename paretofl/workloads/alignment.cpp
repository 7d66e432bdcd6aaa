#include "paretofl/workloads/alignment.h"

#include <algorithm>
#include <cmath>

#include "paretofl/alignment/ppo_steps.h"
#include "paretofl/core/error.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/data/listed_names.h"
#include "paretofl/data/partition.h"
#include "paretofl/local/steps_learner.h"
#include "paretofl/workloads/held_out_completions.h"

namespace paretofl {
namespace {

/// Which prompts each client has.
std::vector<std::vector<Prompt>> deal(const std::vector<Prompt>& prompts, const AlignmentOptions& options, std::uint64_t seed) {
  const auto clients = static_cast<std::size_t>(options.clients);
  expect(prompts.size() >= clients, "workload.clients: expected at most one client per prompt, {}, found {}", prompts.size(), clients);
  const Random random({seed, 0, kServerStream}, "prompt split");
  std::vector<std::vector<Prompt>> dealt(clients);
  if (options.split == "iid") {
    std::vector<std::size_t> order(prompts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Random shuffler = random;
    shuffler.shuffle(std::span(order));
    for (std::size_t i = 0; i < order.size(); ++i) dealt[i % clients].push_back(prompts[order[i]]);
    return dealt;
  }
  std::vector<std::uint32_t> sources;
  for (const Prompt& prompt : prompts) sources.push_back(prompt.source);
  const Partition partition =
      dirichlet_partition(sources, {.clients = clients, .samples_per_client = prompts.size() / clients, .alpha = options.alpha}, random);
  for (std::size_t client = 0; client < clients; ++client) {
    for (const std::uint32_t i : partition.client(client)) dealt[client].push_back(prompts[i]);
  }
  return dealt;
}

}  // namespace

void AlignmentOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.text("prompts", prompts,
             "files of preference pairs under data.root, separated by commas; each is a source; empty: built-in prompts");
  visit.integer("max_prompt_tokens", max_prompt_tokens, 1, kMaxInt, "longer prompts are left out");
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.choice("split", split, {"iid", "dirichlet"}, "how the prompts are split over the clients: at random, or by source");
  visit.real("alpha", alpha, 1e-3, kInfinity, "concentration of the Dirichlet split");
  visit.components("objectives", objectives, rewards(), "the reward of each objective");
  visit.components("alternatives", alternatives, rewards(), "different rewards for the same objectives, on some of the clients");
  visit.real("alternative_share", alternative_share, 0, 1, "share of the clients that have the alternatives; these are the last clients");
  visit.group("ppo", [this](OptionVisitor& inner) { ppo.describe(inner); });
  visit.integer("evaluation_prompts", evaluation_prompts, 1, kMaxInt,
                "largest number of held-out prompts for the evaluation; the first ones of the files are taken");
}

Alignment::Alignment(const AlignmentOptions& options, const WorkloadContext& context)
    : options_(options), seed_(context.seed), base_(options.base, context.seed) {
  expect(!options.objectives.empty(), "workload.objectives: expected at least one reward, found none");
  base_.expect_positions(options.max_prompt_tokens, options.ppo.max_new_tokens, "ppo");

  std::vector<std::shared_ptr<const Reward>> main;
  std::vector<std::shared_ptr<const Reward>> other;
  for (const auto& [name, component] : options.objectives) {
    names_.push_back(name);
    main.push_back(make_reward(component));
    const auto alternative = options.alternatives.find(name);
    other.push_back(alternative == options.alternatives.end() ? main.back() : make_reward(alternative->second));
  }
  for (const auto& [name, component] : options.alternatives) {
    expect(options.objectives.contains(name), "workload.alternatives: expected names of objectives, found '{}'", name);
  }

  std::vector<std::filesystem::path> files;
  for (const std::string& file : listed_names("workload.prompts", options.prompts)) files.push_back(context.data_root / file);
  PromptSet prompts = files.empty() ? built_in_prompts(*base_.tokenizer())
                                    : read_prompts(files, *base_.tokenizer(), static_cast<std::size_t>(options.max_prompt_tokens));
  const auto kept = std::min(prompts.held_out.size(), static_cast<std::size_t>(options.evaluation_prompts));
  prompts.held_out.resize(kept);
  too_long_ = prompts.too_long;
  const auto clients = static_cast<double>(options.clients);
  const auto with_main =
      options.alternatives.empty() ? options.clients : options.clients - std::llround(clients * options.alternative_share);
  std::vector<std::vector<Prompt>> dealt = deal(prompts.training, options, seed_);
  for (std::size_t client = 0; client < dealt.size(); ++client) {
    const bool has_main = static_cast<std::int64_t>(client) < with_main;
    tasks_.push_back(std::make_shared<RewardTask>(std::move(dealt[client]), has_main ? main : other, base_.tokenizer()));
  }
  held_out_ = std::make_shared<RewardTask>(std::move(prompts.held_out), main, base_.tokenizer());
}

std::unique_ptr<GradientOracle> Alignment::oracle(int) const {
  throw Error("workload: expected gradients of each objective, found alignment, whose completions are drawn from the model");
}

Sampling Alignment::sampling() const {
  return {options_.ppo.max_new_tokens, options_.ppo.temperature, options_.ppo.top_k, options_.ppo.top_p, base_.stop_tokens()};
}

std::unique_ptr<ObjectiveSteps> Alignment::objective_steps(int client, const LocalTrainingOptions&) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  return std::make_unique<PpoSteps>(base_.model(), tasks_[static_cast<std::size_t>(client)], options_.ppo, base_.stop_tokens());
}

std::unique_ptr<Learner> Alignment::learner(int client, const LocalTrainingOptions& options) const {
  return std::make_unique<StepsLearner>(options, objective_steps(client, options), preference(client));
}

Evaluation Alignment::evaluate(std::span<const float> theta, Split, ThreadPool& pool) const {
  const std::size_t objectives = names_.size();
  const std::size_t prompts = held_out_->num_prompts();
  const Random random({seed_, 0, kServerStream}, "evaluation");
  struct Sums {
    std::vector<double> rewards;
    double kl = 0;
    double tokens = 0;
  };
  std::vector<Sums> sums(evaluation_batches(prompts));
  pool.for_each(sums.size(), [&](std::size_t batch) {
    const auto [indices, completions] =
        complete_batch(*base_.model(), *held_out_, batch, theta, sampling(), {.reference_logprobs = true}, random);
    const std::vector<double> rewards = held_out_->rewards(indices, completions);
    Sums& sum = sums[batch];
    sum.rewards.resize(objectives);
    for (std::size_t i = 0; i < rewards.size(); ++i) sum.rewards[i % objectives] += rewards[i];
    for (const Completion& completion : completions) {
      sum.tokens += static_cast<double>(completion.ids.size());
      for (std::size_t t = 0; t < completion.ids.size(); ++t) {
        sum.kl += static_cast<double>(completion.logprobs[t]) - completion.reference_logprobs[t];
      }
    }
  });
  Evaluation evaluation;
  std::vector<double>& rewards = evaluation.per_objective["reward"];
  rewards.resize(objectives);
  double kl = 0;
  double tokens = 0;
  for (const Sums& sum : sums) {
    for (std::size_t k = 0; k < objectives; ++k) rewards[k] += sum.rewards[k] / static_cast<double>(prompts);
    kl += sum.kl;
    tokens += sum.tokens;
  }
  evaluation.overall["kl"] = kl / tokens;
  evaluation.overall["prompts_left_out"] = static_cast<double>(too_long_);
  evaluation.overall["response_length"] = tokens / static_cast<double>(prompts);
  return evaluation;
}

void Alignment::write_model(std::span<const float> theta, const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  base_.write_adapter(theta, folder);
  const Random random({seed_, 0, kServerStream}, "examples");
  write_whole_file(folder / "completions.jsonl", example_completions(base_, *held_out_, names_, theta, sampling(), random));
}

}  // namespace paretofl
