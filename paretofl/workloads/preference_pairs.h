#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paretofl/alignment/dpo_oracle.h"
#include "paretofl/completions/language_base.h"
#include "paretofl/completions/question_form.h"
#include "paretofl/data/pair_dealing.h"
#include "paretofl/text/dimension_pairs.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

struct PreferencePairsOptions {
  LanguageBaseOptions base = {.lora_dropout = 0};
  std::string files;       ///< under data.root, separated by commas; empty: built-in pairs
  std::string test_files;  ///< as many, whose prompts are not trained on; empty: some prompts of `files` are held out
  std::string dimensions;  ///< names, separated by commas; empty: those in the rows, or of the files
  PairFields fields = {};
  std::string instruction = "{question}";
  std::string chat_template = "auto";
  std::int64_t max_prompt_tokens = 128;
  std::int64_t max_completion_tokens = 128;
  std::int64_t clients = 8;
  std::int64_t dimensions_per_client = 0;  ///< 0: all
  std::int64_t held_out_every = 10;
  std::int64_t evaluation_pairs = 64;  ///< of each dimension
  DpoOptions dpo = {};

  void describe(OptionVisitor& visit);
};

/// Alignment of a language model with preference pairs of M dimensions, without reward models: theta is a LoRA adapter [d], the reference
/// is the base model, and objective k is the loss of direct preference optimization on the pairs of dimension k (dpo_oracle.h). Clients
/// hold pairs of all dimensions or of some (pair_dealing.h). No prompt is trained on and evaluated on (pair_split.h).
///
/// Evaluation on held-out pairs (pair_figures.h): "loss", "accuracy" and "margin" per objective; overall "chosen_reward/DIMENSION",
/// "rejected_reward/DIMENSION" and numbers of pairs: "pairs_left_out" had too long a prompt, "pairs_of_equal_completions" the same tokens
/// in both completions once these are cut, and "pairs_held_out" of `files` have prompts that are held out or in `test_files`.
class PreferencePairs : public Workload {
 public:
  /// Throws Error if the model, its tokenizer, the pairs and the lengths don't fit each other.
  PreferencePairs(const PreferencePairsOptions& options, const WorkloadContext& context);

  int num_clients() const override { return static_cast<int>(numbers_.size()); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return base_.layout(); }
  Parameters initial_parameters() const override { return base_.initial_parameters(); }

  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  std::vector<double> objective_factors(int client) const override;

  /// The names of the dimensions, and the numbers of pairs.
  nlohmann::json facts() const override;
  /// train.jsonl of a client's pairs and test.jsonl of the held-out ones for the server, as write_dimension_pairs writes them.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;

  /// A client's part has test.jsonl where the client holds out some of its own pairs, and the split where these are of all dimensions.
  bool has_split(Split split) const override;
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "loss", "accuracy" and "margin" on a client's own pairs for that, which only a folder can have.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;

  /// The adapter in the PEFT layout.
  void write_model(std::span<const float> theta, const std::filesystem::path& folder) const override;

 private:
  /// Pairs of one dimension.
  struct Pairs {
    std::vector<DimensionPair> texts;
    std::shared_ptr<const ReferencedPairs> encoded;
  };

  void read_files(const std::filesystem::path& data_root);
  void read_part();
  /// The pairs of a file, with names of dimensions; `of_file` is that of rows without one.
  std::vector<DimensionPair> read_file(const std::filesystem::path& file, const PairFields& fields, const std::string& of_file);
  /// By dimension [M].
  std::vector<std::vector<DimensionPair>> by_dimension(std::vector<DimensionPair> pairs) const;
  /// Encodes pairs; those with too long a prompt or equal completions are left out and counted, or refused in a part.
  Pairs encoded(std::vector<DimensionPair> texts, const std::string& what);
  /// Throws Error unless the names are distinct.
  void set_names(std::vector<std::string> names);
  /// Throws Error if a part holds out a prompt that it trains on.
  void expect_no_common_prompt() const;

  PreferencePairsOptions options_;
  std::uint64_t seed_;
  LanguageBase base_;
  QuestionForm form_;
  DpoRule rule_;
  std::map<std::string, std::size_t> counts_;  // of pairs that are not trained on, by the names of the evaluation
  PairDealing dealing_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> place_of_;      // of each name
  std::vector<std::vector<bool>> holds_;                          // [clients, M]
  std::vector<std::vector<double>> factors_;                      // [clients, M]
  std::vector<Pairs> training_;                                   // [M]
  std::vector<Pairs> held_out_;                                   // [M]
  std::vector<std::vector<std::vector<std::uint32_t>>> numbers_;  // [clients, M] of training pairs
};

}  // namespace paretofl
