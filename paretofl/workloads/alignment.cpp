#include "paretofl/workloads/alignment.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/local/ppo_steps.h"
#include "paretofl/local/steps_learner.h"
#include "paretofl/text/byte_tokenizer.h"
#include "paretofl/workloads/partition.h"

namespace paretofl {
namespace {

/// Prompts that are evaluated in one batch: a fixed number, so that the result does not depend on the threads.
constexpr std::size_t kEvaluationBatch = 16;
constexpr std::size_t kExamples = 8;

/// The model that needs no file.
LanguageModelConfig small_config() {
  LanguageModelConfig config;
  config.vocab_size = static_cast<std::int64_t>(ByteTokenizer::kVocabularySize);
  config.hidden_size = 32;
  config.intermediate_size = 64;
  config.num_hidden_layers = 2;
  config.num_attention_heads = 4;
  config.num_key_value_heads = 2;
  config.head_dim = 8;
  config.max_position_embeddings = 256;
  config.tie_word_embeddings = true;
  config.initializer_range = 0.2;  // so that tokens differ in probability and an adapter can move them
  config.bos_token_id = ByteTokenizer::kBeginning;
  config.eos_token_ids = {ByteTokenizer::kEnd};
  return config;
}

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size() && !text.empty()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, comma - begin));
    expect(!parts.back().empty(), "config: expected names separated by commas, found '{}'", text);
    begin = comma + 1;
  }
  return parts;
}

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
  visit.text("model", model, "folder of the language model; empty: a small one of random parameters that reads bytes");
  visit.text("device", device, "where models compute: cpu, cuda or cuda:N");
  visit.choice("dtype", dtype, {"float32", "bfloat16", "float64"}, "number format of the base parameters");
  visit.integer("lora_rank", lora_rank, 1, kMaxInt, "rank of the adapters");
  visit.real("lora_alpha", lora_alpha, 0, kInfinity, "adapters count alpha / rank times");
  visit.real("lora_dropout", lora_dropout, 0, 0.99, "share of an adapter's inputs that are dropped in training");
  visit.text("lora_projections", lora_projections, "projections with adapters, separated by commas");
  visit.text("prompts", prompts, "files of preference pairs under data.root, separated by commas, each a source; empty: built-in prompts");
  visit.integer("max_prompt_tokens", max_prompt_tokens, 1, kMaxInt, "longer prompts are left out");
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.choice("split", split, {"iid", "dirichlet"}, "how clients share the prompts: at random, or by source");
  visit.real("alpha", alpha, 1e-3, kInfinity, "concentration of the Dirichlet split");
  visit.components("objectives", objectives, rewards(), "the objectives' rewards");
  visit.components("alternatives", alternatives, rewards(), "other rewards of objectives at some of the clients");
  visit.real("alternative_share", alternative_share, 0, 1, "share of the clients, the last ones, that have the alternatives");
  visit.group("ppo", [this](OptionVisitor& inner) { ppo.describe(inner); });
  visit.integer("evaluation_prompts", evaluation_prompts, 1, kMaxInt, "held-out prompts that a model is evaluated on, at most");
}

Alignment::Alignment(const AlignmentOptions& options, const WorkloadContext& context) : options_(options), seed_(context.seed) {
  expect(!options.objectives.empty(), "workload.objectives: expected at least one reward, found none");
  lora_ = {options.lora_rank, options.lora_alpha, options.lora_dropout, listed(options.lora_projections)};
  const ModelPlacement placement{options.device, options.dtype};
  if (options.model.empty()) {
    tokenizer_ = std::make_shared<ByteTokenizer>();
    model_ = random_causal_lm(small_config(), Random({seed_, 0, kServerStream}, "base model"), lora_, placement);
  } else {
    tokenizer_ = load_tokenizer(options.model);
    model_ = load_causal_lm(options.model, lora_, placement);
  }
  const LanguageModelConfig& config = model_->config();
  expect(static_cast<std::int64_t>(tokenizer_->vocabulary_size()) <= config.vocab_size,
         "workload.model: expected a tokenizer of at most {} tokens, found {}", config.vocab_size, tokenizer_->vocabulary_size());
  expect(options.max_prompt_tokens + options.ppo.max_new_tokens <= config.max_position_embeddings,
         "workload: expected max_prompt_tokens + ppo.max_new_tokens of at most the model's {} positions, found {} + {}",
         config.max_position_embeddings, options.max_prompt_tokens, options.ppo.max_new_tokens);

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
  for (const std::string& file : listed(options.prompts)) files.push_back(context.data_root / file);
  PromptSet prompts =
      files.empty() ? built_in_prompts(*tokenizer_) : read_prompts(files, *tokenizer_, static_cast<std::size_t>(options.max_prompt_tokens));
  const auto kept = std::min(prompts.held_out.size(), static_cast<std::size_t>(options.evaluation_prompts));
  prompts.held_out.resize(kept);
  too_long_ = prompts.too_long;
  const auto clients = static_cast<double>(options.clients);
  const auto with_main =
      options.alternatives.empty() ? options.clients : options.clients - std::llround(clients * options.alternative_share);
  std::vector<std::vector<Prompt>> dealt = deal(prompts.training, options, seed_);
  for (std::size_t client = 0; client < dealt.size(); ++client) {
    const bool has_main = static_cast<std::int64_t>(client) < with_main;
    tasks_.push_back(std::make_shared<RewardTask>(std::move(dealt[client]), has_main ? main : other, tokenizer_));
  }
  held_out_ = std::make_shared<RewardTask>(std::move(prompts.held_out), main, tokenizer_);
}

Parameters Alignment::initial_parameters() const {
  Parameters parameters(layout());
  model_->initialize_adapter(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

std::unique_ptr<GradientOracle> Alignment::oracle(int) const {
  throw Error("workload: expected gradients of each objective, found alignment, whose completions are drawn from the model");
}

Sampling Alignment::sampling() const {
  std::vector<TokenId> stop = model_->config().eos_token_ids;
  if (const auto end = tokenizer_->end_of_sequence(); end && std::find(stop.begin(), stop.end(), *end) == stop.end()) stop.push_back(*end);
  return {options_.ppo.max_new_tokens, options_.ppo.temperature, options_.ppo.top_k, options_.ppo.top_p, std::move(stop)};
}

std::unique_ptr<ObjectiveSteps> Alignment::objective_steps(int client, const LocalTrainingOptions&) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  return std::make_unique<PpoSteps>(model_, tasks_[static_cast<std::size_t>(client)], options_.ppo, sampling().stop);
}

std::unique_ptr<Learner> Alignment::learner(int client, const LocalTrainingOptions& options) const {
  return std::make_unique<StepsLearner>(options, objective_steps(client, options), preference(client));
}

std::vector<Evaluation> Alignment::evaluate_clients(const ClientModels& models, Split split, ThreadPool& pool) const {
  std::vector<Evaluation> evaluations;
  for (int i = 0; i < models.size(); ++i) {
    Evaluation& evaluation = evaluations.emplace_back(evaluate(models.of(i), split, pool));
    evaluation.overall["scalarized_reward"] = preference(i).scalarize(evaluation.per_objective.at("reward"));
  }
  return evaluations;
}

Evaluation Alignment::evaluate(std::span<const float> theta, Split, ThreadPool& pool) const {
  const std::size_t objectives = names_.size();
  const std::size_t prompts = held_out_->num_prompts();
  const std::size_t batches = (prompts + kEvaluationBatch - 1) / kEvaluationBatch;
  struct Sums {
    std::vector<double> rewards;
    double kl = 0;
    double tokens = 0;
  };
  std::vector<Sums> sums(batches);
  pool.for_each(batches, [&](std::size_t batch) {
    std::vector<std::size_t> indices;
    std::vector<TokenIds> ids;
    for (std::size_t i = batch * kEvaluationBatch; i < std::min(prompts, (batch + 1) * kEvaluationBatch); ++i) {
      indices.push_back(i);
      ids.push_back(held_out_->prompt(i));
    }
    const Random random = Random({seed_, 0, kServerStream}, "evaluation").substream("batch", batch);
    const std::vector<Completion> completions = model_->generate(ids, theta, sampling(), {.reference_logprobs = true}, random);
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
  write_peft_adapter(folder, *layout(), lora_, theta, model_->config().model_type, options_.model);
  std::vector<std::size_t> indices;
  std::vector<TokenIds> prompts;
  for (std::size_t i = 0; i < std::min(held_out_->num_prompts(), kExamples); ++i) {
    indices.push_back(i);
    prompts.push_back(held_out_->prompt(i));
  }
  const std::vector<Completion> completions =
      model_->generate(prompts, theta, sampling(), {}, Random({seed_, 0, kServerStream}, "examples"));
  const std::vector<double> rewards = held_out_->rewards(indices, completions);
  std::string lines;
  for (const std::size_t i : indices) {
    nlohmann::ordered_json line{{"prompt", held_out_->text(i)}, {"completion", tokenizer_->decode(completions[i].ids, true)}};
    for (std::size_t k = 0; k < names_.size(); ++k) line["reward"][names_[k]] = rewards[i * names_.size() + k];
    lines += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  write_whole_file(folder / "completions.jsonl", lines);
}

}  // namespace paretofl
