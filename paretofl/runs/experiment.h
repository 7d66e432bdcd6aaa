#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "paretofl/core/server.h"
#include "paretofl/core/texts.h"
#include "paretofl/evaluation/chosen_model.h"
#include "paretofl/privacy/privacy_account.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/completion_file.h"
#include "paretofl/runs/model_description.h"
#include "paretofl/runs/progress_bar.h"
#include "paretofl/runs/provenance.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/run_totals.h"
#include "paretofl/runs/tensorboard_writer.h"

namespace paretofl {

/// Among the texts of a run's identity: the fingerprint of the data and models that were read.
inline constexpr const char* kDataRead = "data_read";

/// What ended a run's rounds early, after a checkpoint, if anything did.
struct EarlyEnd {
  int signal = 0;        ///< the signal, or 0
  bool stopped = false;  ///< whether the observer asked for it
};

/// What a run says as soon as SIGTERM or SIGINT comes (InterruptGuard).
struct SignalWords {
  std::string at_end = {};
  std::string at_interrupt = {};
};

/// A run in the process that leads it: rounds, evaluation, records and checkpoints.
class Experiment {
 public:
  /// The references must outlive the object. `identity` holds the texts that a resumed run must share with the run's beginning.
  Experiment(const RunConfig& config, const RoundOptions& round_options, const Workload& workload, Runtime& runtime, ThreadPool& pool,
             std::unique_ptr<ServerHalf> half, RunDirectory directory, Texts identity);

  /// The CPU seconds of the process when the run began: an earlier run in the same process may have used them.
  void count_cpu_from(double seconds) { totals_.count_cpu_from(seconds); }

  /// Records what the rounds disclose, and ends before the budget is exceeded.
  void account_for(PrivacyAccount& account) { account_ = &account; }

  /// Sets everything back to the newest readable checkpoint; from the start where there is none yet. Writes nothing.
  void load_checkpoint();

  /// Sets the run directory to where this experiment stands.
  void open_records(const Settings& resolved);

  /// Throws Error when too many rounds in a row are abandoned.
  EarlyEnd run_rounds(const RoundObserver& after_round, ProgressOutput progress, const SignalWords& words = {});

  /// `failure` is why the run failed, or empty.
  void write_summary(const std::string& failure = "");

  /// What other programs read of the model, or of every client's, where the workload has such files.
  void write_models() const;

  long rounds_done() const { return static_cast<long>(round_); }

 private:
  void run_round();
  bool affords_next_round() const { return account_ == nullptr || account_->affords_next_round(); }
  bool evaluation_is_due() const { return round_ % config_.evaluation_every == 0; }
  /// Evaluates the models as they are into the last row; returns what that adds to it.
  nlohmann::ordered_json evaluate();
  /// The last round is evaluated even where no evaluation is due. Its checkpoint knows nothing of that, so that the run
  /// can be made longer and is the same as if it had never ended here.
  void evaluate_last_round();
  /// What the clients find on the data that they hold out themselves.
  nlohmann::ordered_json evaluate_at_clients(const RunModels& models);
  /// JSON has no word for what is not finite, so that such a figure becomes null.
  void warn_of_figures(const nlohmann::ordered_json& evaluation);
  /// The metrics of the last row whose objectives are in different units, so that they have no mean.
  std::vector<std::string> metrics_of_unlike_units() const;
  void write_tensorboard(const nlohmann::ordered_json& row);
  void save_checkpoint();

  const RunConfig& config_;
  Texts identity_;
  const Workload& workload_;
  Runtime& runtime_;
  RoundOptions round_options_;
  ThreadPool& pool_;
  RunDirectory directory_;
  CompletionFile completions_;
  ChosenModel chosen_;
  CheckpointStore store_;
  Server server_;
  Record model_description_;
  std::optional<TensorboardWriter> tensorboard_;
  RunTotals totals_;
  std::int64_t round_ = 0;
  std::string metrics_digest_, metrics_last_row_;  ///< as the checkpoint has them
  PrivacyAccount* account_ = nullptr;              ///< where there is noise
  bool warned_ = false;
  bool warned_of_held_out_ = false;
  nlohmann::ordered_json last_row_;
  Provenance provenance_;
};

}  // namespace paretofl
