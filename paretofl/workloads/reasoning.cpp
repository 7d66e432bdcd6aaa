#include "paretofl/workloads/reasoning.h"

#include <algorithm>
#include <limits>
#include <set>

#include "paretofl/alignment/grpo_steps.h"
#include "paretofl/alignment/reward_learner.h"
#include "paretofl/completions/chosen_chat.h"
#include "paretofl/completions/held_out_completions.h"
#include "paretofl/completions/question_form.h"
#include "paretofl/completions/question_part.h"
#include "paretofl/completions/reward_groups.h"
#include "paretofl/core/error.h"
#include "paretofl/data/wrong_references.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

// Texts in a task's table beside its question set's options.
constexpr const char* kInstruction = "instruction";
constexpr const char* kSystem = "system";

using Rewards = std::map<std::string, std::shared_ptr<const Reward>>;

std::vector<std::shared_ptr<const Reward>> rewards_named(const Rewards& made, std::span<const std::string> names) {
  std::vector<std::shared_ptr<const Reward>> list;
  for (const std::string& name : names) list.push_back(made.at(name));
  return list;
}

void add_new(std::vector<std::string>& names, std::span<const std::string> more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

/// A task's prompts.
struct TaskPrompts {
  std::vector<Prompt> training;
  std::vector<Prompt> validation;
  std::vector<Prompt> test;
};

/// What stands around a task's questions: its own texts, or those of all tasks.
QuestionForm form_of(const std::string& name, const ReasoningOptions& options, const LanguageBase& base) {
  QuestionWording wording{.instruction = options.instruction, .instruction_key = "workload.instruction"};
  const std::map<std::string, std::string>& own = options.tasks.at(name).texts;
  if (const auto instruction = own.find(kInstruction); instruction != own.end()) {
    wording.instruction = instruction->second;
    wording.instruction_key = fmt::format("workload.tasks.{}.{}", name, kInstruction);
  }
  if (const auto system = own.find(kSystem); system != own.end()) {
    wording.system = system->second;
    wording.system_key = fmt::format("workload.tasks.{}.{}", name, kSystem);
    expect(!wording.system.empty(), "{}: expected a text, found an empty one; leave the key out for the template's own",
           wording.system_key);
  }
  return QuestionForm(wording, options.chat_template, base.folder());
}

TaskPrompts read_task(const std::string& name, const ReasoningOptions& options, const WorkloadContext& context, const LanguageBase& base,
                      std::size_t& left_out) {
  const auto make = [&](const Component& component) {
    return question_sets().at(component.name).make(component.settings, {.seed = context.seed, .data_root = context.data_root});
  };
  QuestionSet set = make(options.tasks.at(name));
  if (const auto other = options.test_sets.find(name); other != options.test_sets.end()) set.test = make(other->second).test;
  const QuestionForm form = form_of(name, options, base);
  const auto prompts = [&](const std::vector<Question>& questions) {
    return form.prompts(questions, *base.tokenizer(), static_cast<std::size_t>(options.max_prompt_tokens), left_out);
  };
  TaskPrompts task{prompts(set.training), prompts(set.validation), prompts(set.test)};
  expect(!task.validation.empty() && !task.test.empty(),
         "workload.tasks.{}: expected questions of at most {} tokens for validation and test, found {} of {} and {} of {}", name,
         options.max_prompt_tokens, task.validation.size(), set.validation.size(), task.test.size(), set.test.size());
  const auto most = static_cast<std::size_t>(options.evaluation_questions);
  task.validation.resize(std::min(task.validation.size(), most));
  task.test.resize(std::min(task.test.size(), most));
  return task;
}

/// The same of a party's folder: of the server, or of a client of the task.
TaskPrompts read_task_part(const std::string& name, const ReasoningOptions& options, const ProblemPart& part, const LanguageBase& base) {
  const QuestionForm form = form_of(name, options, base);
  const auto read = [&](const char* file, bool required) {
    if (!required && !part.has(file)) return std::vector<Prompt>();
    const std::string task = part.is_server() ? name : "";
    return read_part_questions(part.file(file), task, form, *base.tokenizer(), static_cast<std::size_t>(options.max_prompt_tokens));
  };
  TaskPrompts task{
      .training = {}, .validation = read(kValidationQuestions, part.is_server()), .test = read(kTestQuestions, part.is_server())};
  if (!part.is_server()) task.training = read(kTrainQuestions, true);
  const auto most = static_cast<std::size_t>(options.evaluation_questions);
  task.validation.resize(std::min(task.validation.size(), most));
  task.test.resize(std::min(task.test.size(), most));
  return task;
}

constexpr const char* kQuestionsLeftOut = "questions_left_out";

/// The prompts of each of `clients` clients, at random.
std::vector<std::vector<Prompt>> deal(std::vector<Prompt> prompts, std::size_t clients, const std::string& task, Random random) {
  expect(prompts.size() >= clients, "workload.tasks.{}: expected a training question for each of {} clients, found {}", task, clients,
         prompts.size());
  random.shuffle(std::span(prompts));
  std::vector<std::vector<Prompt>> dealt(clients);
  for (std::size_t i = 0; i < prompts.size(); ++i) dealt[i % clients].push_back(std::move(prompts[i]));
  return dealt;
}

}  // namespace

void ReasoningOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.components_with_texts(
      "tasks", tasks, question_sets(), "the question set of each task",
      {{kInstruction,
        "the text of the task's prompts, with {question} once, in place of the question; other braces stay; unset: instruction"},
       {kSystem, "the system turn before each of its questions, in the chat template; unset: the template's own"}});
  visit.components("test_sets", test_sets, question_sets(), "question sets for testing, for tasks that are not tested on their own set");
  visit.components("rewards", rewards, paretofl::rewards(), "the rewards, by the names that groups use");
  visit.text("groups", groups,
             "task and rewards of each group of clients, the accuracy reward first: TASK:REWARD+REWARD; groups are separated by commas");
  visit.text("instruction", instruction,
             "the text of a prompt, with {question} once, in place of the question; other braces stay as they are");
  describe_chat_template(visit, chat_template, "dialogues");
  describe_stop_strings(visit, stop_strings);
  visit.integer("max_prompt_tokens", max_prompt_tokens, 1, kMaxInt, "longer prompts are left out");
  visit.integer("evaluation_questions", evaluation_questions, 1, kMaxInt,
                "largest number of questions per task for the evaluation; the first ones are taken");
  visit.reals("wrong_references", wrong_references, 0, 1,
              "share of a client's training questions that get the references of others of its questions, for clients of unequal quality; "
              "the first number is the first client's, and after the last number they start again; empty: none");
  visit.integer("log_completions_every", log.every, 0, kMaxInt,
                "rounds between those of which training_completions.jsonl has some of the clients' completions; 0: never");
  visit.integer("log_completions_per_client", log.per_client, 1, kMaxInt, "largest number of completions of a client in such a round");
  visit.group("grpo", [this](OptionVisitor& inner) { grpo.describe(inner); });
}

Reasoning::Reasoning(const ReasoningOptions& options, const WorkloadContext& context)
    : Workload(context.part),
      options_(options),
      seed_(context.seed),
      base_(options.base, context.seed),
      stop_strings_(options.stop_strings, base_.tokenizer()),
      log_(std::make_shared<CompletionLog>(options.log)) {
  base_.expect_positions(options.max_prompt_tokens, options.grpo.max_new_tokens, "grpo.max_new_tokens");
  for (const auto& [name, component] : options.test_sets) {
    expect(options.tasks.contains(name), "workload.test_sets: expected names of tasks, found '{}'", name);
  }
  groups_ = parse_reward_groups(options.groups, options.tasks, options.rewards);
  const auto clients = static_cast<std::size_t>(options.clients);
  expect(clients >= groups_.size(), "workload.clients: expected at least one for each of {} groups, found {}", groups_.size(), clients);

  if (part()) {
    const Problem problem = read_problem(part()->folder);
    const JsonObject agreed(problem.facts, part()->file(Problem::kFile).string() + ": facts");
    left_out_ = static_cast<std::size_t>(agreed.integer(kQuestionsLeftOut, 0, std::numeric_limits<std::int64_t>::max()));
  }
  Rewards made;
  std::map<std::string, std::vector<std::string>> rewards_of_task;
  for (const RewardGroup& group : groups_) {
    add_new(names_, group.rewards);
    add_new(rewards_of_task[group.task], group.rewards);
  }
  for (const std::string& name : names_) made[name] = make_reward(options.rewards.at(name));

  clients_.resize(clients);
  if (part() && part()->client) expect_client(*part()->client);
  for (const auto& [name, rewards] : rewards_of_task) {
    const bool elsewhere = part() && part()->client && group_of(static_cast<std::size_t>(*part()->client)).task != name;
    if (elsewhere) continue;
    const TaskPrompts prompts =
        part() ? read_task_part(name, options, *part(), base_) : read_task(name, options, context, base_, left_out_);
    for (const std::vector<Prompt>* some : {&prompts.training, &prompts.validation, &prompts.test}) {
      base_.expect_one_rope(*some, options.grpo.max_new_tokens, "grpo.max_new_tokens");
    }
    const auto task_of = [&](const std::vector<Prompt>& of, const std::vector<std::string>& named) {
      return RewardTask(of, rewards_named(made, named), base_.tokenizer(), stop_strings_);
    };
    std::vector<std::size_t> objectives;
    for (const std::string& reward : rewards) {
      objectives.push_back(static_cast<std::size_t>(std::find(names_.begin(), names_.end(), reward) - names_.begin()));
    }
    tasks_.push_back({name, rewards, std::move(objectives), task_of(prompts.validation, rewards), task_of(prompts.test, rewards)});

    if (part() && part()->is_server()) continue;
    std::vector<std::size_t> members;
    for (std::size_t client = 0; client < clients; ++client) {
      if (group_of(client).task == name && (!part() || *part()->client == static_cast<int>(client))) members.push_back(client);
    }
    const Random random = Random({seed_, 0, kServerStream}, "question split").substream("task", tasks_.size() - 1);
    auto dealt = part() ? std::vector<std::vector<Prompt>>{prompts.training} : deal(prompts.training, members.size(), name, random);
    if (!part() && !options.wrong_references.empty()) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        const double share = options.wrong_references[members[i] % options.wrong_references.size()];
        mix_references(dealt[i], share, random.substream("wrong references", i));
      }
    }
    std::map<const RewardGroup*, std::shared_ptr<const RewardQuestions>> held_out;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RewardGroup& group = group_of(members[i]);
      const std::vector<std::string>& own = group.rewards;
      auto& test = held_out[&group];
      if (test == nullptr && !prompts.test.empty()) {
        test = std::make_shared<RewardQuestions>(name, own, task_of(prompts.test, own), nullptr);
      }
      clients_[members[i]] = std::make_shared<RewardQuestions>(name, own, task_of(dealt[i], own), test);
    }
  }
}

std::unique_ptr<GradientOracle> Reasoning::oracle(int) const {
  throw Error("workload: expected gradients of each objective, found reasoning, whose completions are drawn from the model");
}

std::size_t Reasoning::checked(int client) const {
  expect_client(client);
  return static_cast<std::size_t>(client);
}

std::unique_ptr<RewardSteps> Reasoning::reward_steps(int client) const {
  const std::shared_ptr<const RewardQuestions>& questions = clients_[checked(client)];
  GrpoSteps::Listener listener;
  if (options_.log.every > 0) {
    listener = [log = log_, questions, client](StreamId stream, std::span<const std::size_t> prompts,
                                               std::span<const Completion> completions, std::span<const double> rewards) {
      log->note(stream.round, client, *questions, prompts, completions, rewards);
    };
  }
  return std::make_unique<GrpoSteps>(base_.model(), questions, options_.grpo, base_.stop_tokens(), stop_strings_.ends(),
                                     std::move(listener));
}

nlohmann::json Reasoning::facts() const { return {{kQuestionsLeftOut, left_out_}}; }

void Reasoning::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  if (client) {
    const auto i = static_cast<std::size_t>(*client);
    write_question_lines(question_lines(clients_[i]->texts().prompts()), folder / kTrainQuestions);
    const auto own = std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& task) { return task.name == group_of(i).task; });
    return write_question_lines(question_lines(own->test.prompts()), folder / kTestQuestions);
  }
  for (const Split split : {Split::kValidation, Split::kTest}) {
    std::vector<QuestionLine> lines;
    for (const Task& task : tasks_) {
      for (QuestionLine& line : question_lines(task.of(split).prompts(), task.name)) lines.push_back(std::move(line));
    }
    write_question_lines(lines, folder / (split == Split::kTest ? kTestQuestions : kValidationQuestions));
  }
}

bool Reasoning::has_split(Split split) const {
  std::set<std::size_t> judged;
  for (const Task& task : tasks_) {
    if (task.of(split).num_prompts() == 0) return false;
    judged.insert(task.objectives.begin(), task.objectives.end());
  }
  return judged.size() == names_.size();
}

std::optional<Preference> Reasoning::shared_preference(int client) const {
  std::vector<double> weights(names_.size());
  for (const std::string& reward : group_of(static_cast<std::size_t>(client)).rewards) {
    weights[static_cast<std::size_t>(std::find(names_.begin(), names_.end(), reward) - names_.begin())] = 1;
  }
  return Preference(std::move(weights), names_.size());
}

std::unique_ptr<Learner> Reasoning::learner(int client, const LocalTrainingOptions& options) const {
  return std::make_unique<RewardLearner>(options, reward_steps(client));
}

Sampling Reasoning::most_probable() const {
  return {.max_new_tokens = options_.grpo.max_new_tokens, .temperature = 0, .stop = base_.stop_tokens(), .ends = stop_strings_.ends()};
}

Reasoning::BatchSums Reasoning::answer(const CompletionTask& questions, std::size_t batch, std::span<const float> theta) const {
  const Random random({seed_, 0, kServerStream}, "evaluation");
  const auto [indices, completions] = complete_batch(*base_.model(), questions, batch, theta, most_probable(), {}, random);
  const std::vector<double> rewards = questions.rewards(indices, completions);
  BatchSums sums{.rewards = std::vector<double>(rewards.size() / indices.size())};
  for (std::size_t j = 0; j < rewards.size(); ++j) sums.rewards[j % sums.rewards.size()] += rewards[j];
  for (const Completion& completion : completions) sums.tokens += static_cast<double>(completion.ids.size());
  return sums;
}

Evaluation Reasoning::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  expect(has_split(split), "evaluation: expected questions in the split that have every reward, found none in this party's data");
  struct Batch {
    const Task* task;
    std::size_t number;
    BatchSums sums = {};
  };
  std::vector<Batch> batches;
  for (const Task& task : tasks_) {
    for (std::size_t b = 0; b < evaluation_batches(task.of(split).num_prompts()); ++b) batches.push_back({&task, b});
  }
  pool.for_each(batches.size(), [&](std::size_t i) { batches[i].sums = answer(batches[i].task->of(split), batches[i].number, theta); });

  std::vector<double> rewards(names_.size());
  std::vector<double> questions(names_.size());  // behind each objective
  Evaluation evaluation;
  double tokens = 0;
  double all = 0;
  for (const Task& task : tasks_) {
    std::vector<double> sums(task.rewards.size());
    for (const Batch& batch : batches) {
      if (batch.task != &task) continue;
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += batch.sums.rewards[k];
      tokens += batch.sums.tokens;
    }
    const auto count = static_cast<double>(task.of(split).num_prompts());
    all += count;
    double& mean = evaluation.overall["reward_" + task.name];
    for (std::size_t k = 0; k < sums.size(); ++k) {
      rewards[task.objectives[k]] += sums[k];
      questions[task.objectives[k]] += count;
      mean += sums[k] / count / static_cast<double>(sums.size());
    }
    evaluation.overall["accuracy_" + task.name] = sums[0] / count;
    evaluation.overall["accuracy"] += sums[0] / count / static_cast<double>(tasks_.size());
  }
  for (std::size_t k = 0; k < rewards.size(); ++k) rewards[k] /= questions[k];
  evaluation.per_objective["reward"] = std::move(rewards);
  evaluation.overall["response_length"] = tokens / all;
  evaluation.overall["questions_left_out"] = static_cast<double>(left_out_);
  return evaluation;
}

HeldOutFigures Reasoning::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  const QuestionTask* questions = clients_[checked(client)]->held_out();
  HeldOutFigures figures;
  if (questions == nullptr) return figures;
  std::vector<BatchSums> batches(evaluation_batches(questions->num_prompts()));
  pool.for_each(batches.size(), [&](std::size_t i) { batches[i] = answer(*questions, i, theta); });
  HeldOutFigures::Sums& sums = figures.metrics[preferred_metric()];
  sums.values.resize(names_.size());
  sums.samples.resize(names_.size());
  const std::vector<std::string>& own = group_of(static_cast<std::size_t>(client)).rewards;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto objective = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), own[k]) - names_.begin());
    for (const BatchSums& batch : batches) sums.values[objective] += batch.rewards[k];
    sums.samples[objective] = static_cast<double>(questions->num_prompts());
  }
  return figures;
}

void Reasoning::write_model(std::span<const float> theta, const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  base_.write_adapter(theta, folder);
  std::string lines;
  for (const Task& task : tasks_) {
    lines += example_completions(base_, task.test, task.rewards, theta, most_probable(), Random({seed_, 0, kServerStream}, "examples"));
  }
  write_whole_file(folder / "completions.jsonl", lines);
}

}  // namespace paretofl
