#pragma once

#include "paretofl/alignment/completion_task.h"
#include "paretofl/alignment/ppo_options.h"
#include "paretofl/completions/dialogue_form.h"
#include "paretofl/completions/language_base.h"
#include "paretofl/completions/reward_task.h"
#include "paretofl/completions/stop_strings.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct AlignmentOptions {
  LanguageBaseOptions base = {};
  std::string prompts;  ///< files under data.root, separated by commas, each a source of its own; empty: built-in ones
  DialogueFormOptions form = {};
  std::string stop_strings;  ///< texts that end a completion, separated by commas
  std::int64_t clients = 8;
  std::string split = "iid";
  double alpha = 0.3;
  std::string deal_by = "prompt";
  Components objectives{{"digits", {"characters", {{{"set", "0123456789"}}, {}}}},
                        {"letters", {"characters", {{{"set", "abcdefghijklmnopqrstuvwxyz"}}, {}}}}};
  Components alternatives = {};
  double alternative_share = 0.5;
  PpoOptions ppo = {};
  std::int64_t evaluation_prompts = 64;
  std::string evaluation_choice = "distinct";

  void describe(OptionVisitor& visit);
};

/// Alignment of a language model with M rewards by PPO (FIRM, section 5): theta is a LoRA adapter [d], all clients share
/// one frozen base model, and each has prompts of its own. Objectives are named rewards, in order of their names.
/// `alternatives` replace the rewards of the same name at the last clients, `alternative_share` of them. Clients split the
/// prompts at random, or by a Dirichlet draw over the prompts' sources (prompt_choice.h). Has local steps of every objective (ppo_steps.h)
/// but no gradients as pure functions of theta, since completions are drawn from it. Models with a chat template are asked in it
/// (dialogue_form.h), and completions end at `stop_strings` (stop_strings.h); the paper says neither.
///
/// Evaluation draws one completion per held-out prompt, of which `evaluation_choice` takes distinct ones of all sources, with the settings
/// of training and the same random numbers every time: "reward" per objective; with several files overall "reward/OBJECTIVE/FILE" on the
/// prompts of each; overall "kl", the mean of log(policy / reference) per token, "response_length", and "prompts_left_out", how many were
/// too long.
class Alignment : public Workload {
 public:
  /// Throws Error if the model, its tokenizer, the prompts and the lengths don't fit each other.
  Alignment(const AlignmentOptions& options, const WorkloadContext& context);

  int num_clients() const override { return static_cast<int>(tasks_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return base_.layout(); }
  Parameters initial_parameters() const override { return base_.initial_parameters(); }

  bool has_gradients() const override { return false; }
  bool has_objective_steps() const override { return true; }
  /// Throws Error: there are none.
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  std::unique_ptr<ObjectiveSteps> objective_steps(int client, const LocalTrainingOptions& options) const override;

  /// Steps along the scalarized losses of objective_steps(client).
  std::unique_ptr<Learner> learner(int client, const LocalTrainingOptions& options) const override;

  /// "prompts_left_out".
  nlohmann::json facts() const override;
  /// train.jsonl of a client's prompts and test.jsonl of the held-out ones for the server (question_lines.h).
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;

  /// A client's part has test.jsonl where the client holds out some of its own.
  bool has_split(Split split) const override { return split == Split::kTest && held_out_ != nullptr; }
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "reward" on a client's own prompts for that, which only a folder can have.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;
  /// Of uniform preferences.
  std::string preferred_metric() const override { return "reward"; }

  /// The adapter in the PEFT layout, and completions.jsonl: the first eight held-out prompts, each with a completion and its
  /// rewards.
  void write_model(std::span<const float> theta, const std::filesystem::path& folder) const override;

  const CompletionTask& task(int client) const { return *tasks_[static_cast<std::size_t>(client)]; }

 private:
  Sampling sampling() const;
  /// Of all clients, or with a part of the party alone.
  void read_prompts(const std::filesystem::path& data_root);
  void read_part();
  /// Throws Error unless completions of these prompts can be drawn (LanguageBase::expect_one_rope).
  void expect_one_rope(std::span<const Prompt> prompts) const;
  const std::vector<std::shared_ptr<const Reward>>& rewards_of(std::size_t client) const;
  bool has_sources() const { return sources_.size() > 1; }

  AlignmentOptions options_;
  std::uint64_t seed_;
  LanguageBase base_;
  DialogueForm form_;
  StopStrings stop_strings_;
  std::vector<std::string> names_;
  std::vector<std::string> sources_;  // of prompts: what their files are called in figures
  std::size_t too_long_ = 0;
  std::vector<std::shared_ptr<const Reward>> main_;       // [M]
  std::vector<std::shared_ptr<const Reward>> other_;      // [M] with the alternatives
  std::vector<std::shared_ptr<const RewardTask>> tasks_;  // of clients; null for those whose data are elsewhere
  std::shared_ptr<const RewardTask> held_out_;
};

}  // namespace paretofl
