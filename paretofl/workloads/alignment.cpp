#include "paretofl/workloads/alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "paretofl/alignment/ppo_steps.h"
#include "paretofl/completions/held_out_completions.h"
#include "paretofl/completions/question_part.h"
#include "paretofl/core/error.h"
#include "paretofl/data/listed_names.h"
#include "paretofl/data/prompt_choice.h"
#include "paretofl/data/short_file_names.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/local/steps_learner.h"
#include "paretofl/parties/problem.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

constexpr const char* kLeftOut = "prompts_left_out";

}  // namespace

void AlignmentOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.text("prompts", prompts,
             "files of preference pairs under data.root, separated by commas; each is a source; empty: built-in prompts");
  form.describe(visit);
  describe_stop_strings(visit, stop_strings);
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.choice("split", split, {"iid", "dirichlet"}, "how the prompts are split over the clients: at random, or by source");
  visit.real("alpha", alpha, 1e-3, kInfinity, "concentration of the Dirichlet split");
  visit.choice("deal_by", deal_by, {"prompt", "pair"},
               "prompt: all pairs of a prompt go to one client; pair: each goes to any, so that clients have prompts in common");
  visit.components("objectives", objectives, rewards(), "the reward of each objective");
  visit.components("alternatives", alternatives, rewards(), "different rewards for the same objectives, on some of the clients");
  visit.real("alternative_share", alternative_share, 0, 1, "share of the clients that have the alternatives; these are the last clients");
  visit.group("ppo", [this](OptionVisitor& inner) { ppo.describe(inner); });
  visit.integer("evaluation_prompts", evaluation_prompts, 1, kMaxInt, "largest number of held-out prompts for the evaluation");
  visit.choice("evaluation_choice", evaluation_choice, {"distinct", "first"},
               "distinct: held-out prompts that are all different, as many of each file as of the others; first: the first ones of the "
               "files, a prompt as often as it has pairs");
}

Alignment::Alignment(const AlignmentOptions& options, const WorkloadContext& context)
    : Workload(context.part),
      options_(options),
      seed_(context.seed),
      base_(options.base, context.seed),
      form_(options.form, base_.folder()),
      stop_strings_(options.stop_strings, base_.tokenizer()) {
  expect(!options.objectives.empty(), "workload.objectives: expected at least one reward, found none");
  base_.expect_positions(options.form.max_prompt_tokens, options.ppo.max_new_tokens, "ppo.max_new_tokens");

  for (const auto& [name, component] : options.objectives) {
    names_.push_back(name);
    main_.push_back(make_reward(component));
    const auto alternative = options.alternatives.find(name);
    other_.push_back(alternative == options.alternatives.end() ? main_.back() : make_reward(alternative->second));
  }
  for (const auto& [name, component] : options.alternatives) {
    expect(options.objectives.contains(name), "workload.alternatives: expected names of objectives, found '{}'", name);
  }

  sources_ = short_file_names(listed_names("workload.prompts", options.prompts));
  tasks_.resize(static_cast<std::size_t>(options.clients));
  if (part()) {
    read_part();
  } else {
    read_prompts(context.data_root);
  }
}

void Alignment::read_prompts(const std::filesystem::path& data_root) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : listed_names("workload.prompts", options_.prompts)) files.push_back(data_root / file);
  const Tokenizer& tokenizer = *base_.tokenizer();
  PromptSet prompts = files.empty() ? built_in_prompts([&](const std::string& text) { return form_.whole_prompt(text, tokenizer); })
                                    : paretofl::read_prompts(files, [&](const std::string& text) { return form_.prompt(text, tokenizer); });
  const auto most = static_cast<std::size_t>(options_.evaluation_prompts);
  if (options_.evaluation_choice == "distinct") {
    prompts.held_out = distinct_prompts_by_source(prompts.held_out, most);
  } else {
    prompts.held_out.resize(std::min(prompts.held_out.size(), most));
  }
  too_long_ = prompts.too_long;
  for (const std::vector<Prompt>* some : {&prompts.training, &prompts.held_out}) expect_one_rope(*some);
  std::vector<std::vector<Prompt>> dealt = deal_prompts(prompts.training,
                                                        {.clients = static_cast<std::size_t>(options_.clients),
                                                         .dirichlet = options_.split == "dirichlet",
                                                         .alpha = options_.alpha,
                                                         .by_distinct_prompt = options_.deal_by == "prompt"},
                                                        seed_);
  for (std::size_t client = 0; client < dealt.size(); ++client) {
    tasks_[client] = std::make_shared<RewardTask>(std::move(dealt[client]), rewards_of(client), base_.tokenizer(), stop_strings_);
  }
  held_out_ = std::make_shared<RewardTask>(std::move(prompts.held_out), main_, base_.tokenizer(), stop_strings_);
}

void Alignment::expect_one_rope(std::span<const Prompt> prompts) const {
  base_.expect_one_rope(prompts, options_.ppo.max_new_tokens, "ppo.max_new_tokens");
}

void Alignment::read_part() {
  const Problem problem = read_problem(part()->folder);
  const JsonObject agreed(problem.facts, part()->file(Problem::kFile).string() + ": facts");
  too_long_ = static_cast<std::size_t>(agreed.integer(kLeftOut, 0, std::numeric_limits<std::int64_t>::max()));
  const auto read = [&](const char* file) {
    std::vector<Prompt> prompts = read_part_prompts(part()->file(file), form_, *base_.tokenizer(), sources_);
    expect_one_rope(prompts);
    return prompts;
  };
  if (part()->client) {
    expect_client(*part()->client);
    const auto client = static_cast<std::size_t>(*part()->client);
    tasks_[client] = std::make_shared<RewardTask>(read(kTrainQuestions), rewards_of(client), base_.tokenizer(), stop_strings_);
  }
  if (part()->is_server() || part()->has(kTestQuestions)) {
    held_out_ = std::make_shared<RewardTask>(read(kTestQuestions), main_, base_.tokenizer(), stop_strings_);
  }
}

const std::vector<std::shared_ptr<const Reward>>& Alignment::rewards_of(std::size_t client) const {
  const auto clients = static_cast<double>(options_.clients);
  const auto with_main =
      options_.alternatives.empty() ? options_.clients : options_.clients - std::llround(clients * options_.alternative_share);
  return static_cast<std::int64_t>(client) < with_main ? main_ : other_;
}

nlohmann::json Alignment::facts() const { return {{kLeftOut, too_long_}}; }

void Alignment::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  const RewardTask& task = client ? *tasks_[static_cast<std::size_t>(*client)] : *held_out_;
  std::vector<QuestionLine> lines = question_lines(task.prompts());
  // The server's have the name of their source, by which it tells the rewards apart.
  for (std::size_t i = 0; i < lines.size() && !client && has_sources(); ++i) lines[i].task = sources_[task.prompts()[i].source];
  write_question_lines(lines, folder / (client ? kTrainQuestions : kTestQuestions));
}

std::unique_ptr<GradientOracle> Alignment::oracle(int) const {
  throw Error("workload: expected gradients of each objective, found alignment, whose completions are drawn from the model");
}

Sampling Alignment::sampling() const {
  return {.max_new_tokens = options_.ppo.max_new_tokens,
          .temperature = options_.ppo.temperature,
          .top_k = options_.ppo.top_k,
          .top_p = options_.ppo.top_p,
          .stop = base_.stop_tokens(),
          .ends = stop_strings_.ends()};
}

std::unique_ptr<ObjectiveSteps> Alignment::objective_steps(int client, const LocalTrainingOptions&) const {
  expect_client(client);
  return std::make_unique<PpoSteps>(base_.model(), tasks_[static_cast<std::size_t>(client)], options_.ppo, base_.stop_tokens(),
                                    stop_strings_.ends());
}

std::unique_ptr<Learner> Alignment::learner(int client, const LocalTrainingOptions& options) const {
  return std::make_unique<StepsLearner>(options, objective_steps(client, options), preference(client));
}

Evaluation Alignment::evaluate(std::span<const float> theta, Split, ThreadPool& pool) const {
  expect(held_out_ != nullptr, "evaluation: expected held-out prompts, found none in this party's data");
  const std::size_t objectives = names_.size();
  const std::size_t prompts = held_out_->num_prompts();
  const Random random({seed_, 0, kServerStream}, "evaluation");
  struct Sums {
    std::vector<double> rewards;                                  // [M]
    std::map<std::uint32_t, std::vector<double>> source_rewards;  // [M] by source
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
    for (std::size_t i = 0; i < rewards.size(); ++i) {
      sum.rewards[i % objectives] += rewards[i];
      std::vector<double>& of_source = sum.source_rewards[held_out_->prompts()[indices[i / objectives]].source];
      of_source.resize(objectives);
      of_source[i % objectives] += rewards[i];
    }
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
  for (std::uint32_t source = 0; source < sources_.size() && has_sources(); ++source) {
    const auto count = static_cast<double>(held_out_->count_of_source(source));
    if (count == 0) continue;
    for (std::size_t k = 0; k < objectives; ++k) {
      double& mean = evaluation.overall[fmt::format("reward/{}/{}", names_[k], sources_[source])];
      for (const Sums& sum : sums) {
        if (const auto found = sum.source_rewards.find(source); found != sum.source_rewards.end()) mean += found->second[k] / count;
      }
    }
  }
  evaluation.overall["kl"] = kl / tokens;
  evaluation.overall["prompts_left_out"] = static_cast<double>(too_long_);
  evaluation.overall["response_length"] = tokens / static_cast<double>(prompts);
  return evaluation;
}

HeldOutFigures Alignment::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  expect_client(client);
  HeldOutFigures figures;
  if (!part() || held_out_ == nullptr) return figures;
  figures.add_means("reward", evaluate(theta, Split::kTest, pool).per_objective.at("reward"),
                    static_cast<double>(held_out_->num_prompts()));
  return figures;
}

void Alignment::write_model(std::span<const float> theta, const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  base_.write_adapter(theta, folder);
  if (held_out_ == nullptr) return;
  const Random random({seed_, 0, kServerStream}, "examples");
  write_whole_file(folder / "completions.jsonl", example_completions(base_, *held_out_, names_, theta, sampling(), random));
}

}  // namespace paretofl
