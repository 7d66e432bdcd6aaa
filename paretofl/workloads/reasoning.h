#pragma once

#include "paretofl/alignment/grpo_options.h"
#include "paretofl/completions/completion_log.h"
#include "paretofl/completions/language_base.h"
#include "paretofl/completions/reward_groups.h"
#include "paretofl/completions/reward_questions.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct ReasoningOptions {
  LanguageBaseOptions base = {};
  std::int64_t clients = 8;
  Components tasks{{"sums", {"sums", {}}}};
  Components test_sets = {};
  Components rewards{{"accuracy", {"gsm8k_accuracy", {}}}, {"format", {"format", {}}}, {"tag_count", {"tag_count", {}}}};
  std::string groups = "sums:accuracy+format+tag_count";
  std::string instruction = "{question}\n";
  std::string chat_template = "auto";
  std::string stop_strings = {};  ///< texts that end a completion, separated by commas
  std::int64_t max_prompt_tokens = 128;
  std::int64_t evaluation_questions = 200;
  std::vector<double> wrong_references = {};  ///< shares, over the clients in turn
  CompletionLogOptions log = {};
  GrpoOptions grpo = {.max_new_tokens = 64};

  void describe(OptionVisitor& visit);
};

/// Language models that learn from rewards to answer questions (FedMOA): theta is a LoRA adapter [d] on a frozen base model.
/// Groups of clients, equal consecutive shares, have a task and named rewards each, the first of them the task's accuracy;
/// the clients of a task split its training questions at random, and `wrong_references` make some clients' data worse than others'
/// (wrong_references.h). Clients train by GRPO on rewards of their own
/// (grpo_steps.h): there are no gradients of the objectives, which are all groups' rewards in order of first mention.
///
/// Evaluation draws the most probable completion of each validation or test question, of every task at most
/// `evaluation_questions`. Per objective: "reward", the mean over the questions of the tasks that have that reward. Overall:
/// "accuracy_TASK", "reward_TASK" (mean over all rewards that its groups have), "accuracy" (mean over the tasks),
/// "response_length" in tokens, and "questions_left_out", how many were longer than `max_prompt_tokens`. `test_sets` say
/// which set a task is tested on where that is not its own.
class Reasoning : public Workload {
 public:
  /// Throws Error if model, questions, rewards and lengths don't fit each other, a group has no client, or a task too few
  /// questions: less than one per client, or none for validation or test.
  Reasoning(const ReasoningOptions& options, const WorkloadContext& context);

  int num_clients() const override { return static_cast<int>(clients_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return base_.layout(); }
  Parameters initial_parameters() const override { return base_.initial_parameters(); }

  bool has_gradients() const override { return false; }
  /// Throws Error: there are none.
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_reward_steps() const override { return true; }
  std::unique_ptr<RewardSteps> reward_steps(int client) const override;

  /// "questions_left_out".
  nlohmann::json facts() const override;
  /// train.jsonl and test.jsonl of a client, the questions that it trains on and the test questions of its task; validation.jsonl and
  /// test.jsonl of all tasks for the server (question_lines.h, the prompt being the question).
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;

  /// Uniform over the client's own rewards.
  std::optional<Preference> shared_preference(int client) const override;
  /// Steps on the mean of the client's own rewards.
  std::unique_ptr<Learner> learner(int client, const LocalTrainingOptions& options) const override;

  /// A client's part has the splits whose questions it has, if its task has all objectives.
  bool has_split(Split split) const override;
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  std::string preferred_metric() const override { return "reward"; }
  /// "reward" of the client's own rewards on the test questions of its task, which in a client's part are those of its own folder.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;

  /// The adapter in the PEFT layout, and completions.jsonl: of each task the first eight test questions, each with a
  /// completion and its rewards.
  void write_model(std::span<const float> theta, const std::filesystem::path& folder) const override;

  bool logs_completions() const override { return options_.log.every > 0; }
  std::string take_completions(std::uint32_t round) const override { return log_->take(round); }

  const QuestionTask& task(int client) const { return *clients_[checked(client)]; }

 private:
  /// What a task's models are evaluated on.
  struct Task {
    std::string name;
    std::vector<std::string> rewards;     // of all of its groups
    std::vector<std::size_t> objectives;  // [rewards]
    RewardTask validation;
    RewardTask test;

    const RewardTask& of(Split split) const { return split == Split::kTest ? test : validation; }
  };

  /// The rewards and lengths of the most probable completions of one batch of questions, as sums.
  struct BatchSums {
    std::vector<double> rewards;  // [the questions' rewards]
    double tokens = 0;
  };
  BatchSums answer(const CompletionTask& questions, std::size_t batch, std::span<const float> theta) const;

  const RewardGroup& group_of(std::size_t client) const { return groups_[client * groups_.size() / clients_.size()]; }
  std::size_t checked(int client) const;
  Sampling most_probable() const;

  ReasoningOptions options_;
  std::uint64_t seed_;
  LanguageBase base_;
  StopStrings stop_strings_;
  std::vector<std::string> names_;
  std::size_t left_out_ = 0;
  std::shared_ptr<CompletionLog> log_;  // what clients note when they train
  std::vector<RewardGroup> groups_;
  std::vector<Task> tasks_;                                      // of a client's part its own
  std::vector<std::shared_ptr<const RewardQuestions>> clients_;  // null for those whose data are elsewhere
};

}  // namespace paretofl
