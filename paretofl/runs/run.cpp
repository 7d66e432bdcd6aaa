#include "paretofl/runs/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "paretofl/core/data_ledger.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/chosen_model.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/interrupt.h"
#include "paretofl/runs/model_evaluation.h"
#include "paretofl/runs/progress_bar.h"
#include "paretofl/runs/provenance.h"
#include "paretofl/runs/round_row.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/sha256.h"
#include "paretofl/runs/tensorboard_writer.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/strategies/strategy.h"

namespace paretofl {
namespace {

constexpr const char* kDataRead = "data_read";  // among the settings that a run's continuation and all ranks share

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double unix_time() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// What a run has used so far, over all of its processes in a row.
struct Totals {
  double bytes_up = 0;
  double bytes_down = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double abandoned_in_a_row = 0;
  double abandoned = 0;

  Record save() const {
    Record record;
    record.scalars = {{"bytes_up", bytes_up},
                      {"bytes_down", bytes_down},
                      {"wall_seconds", wall_seconds},
                      {"cpu_seconds", cpu_seconds},
                      {"abandoned_in_a_row", abandoned_in_a_row},
                      {"abandoned", abandoned}};
    return record;
  }
  void load(const Record& record) {
    bytes_up = record.scalar("bytes_up");
    bytes_down = record.scalar("bytes_down");
    wall_seconds = record.scalar("wall_seconds");
    cpu_seconds = record.scalar("cpu_seconds");
    abandoned_in_a_row = record.scalar("abandoned_in_a_row");
    abandoned = record.scalar("abandoned");
    for (const double total : {bytes_up, bytes_down, wall_seconds, cpu_seconds, abandoned_in_a_row, abandoned}) {
      expect(std::isfinite(total) && total >= 0, "checkpoint: expected totals of at least 0, found {}", total);
    }
  }
};

/// Whether --set gives a key that may change between a run and its continuation.
bool may_change_on_resume(std::string_view assignment) {
  const std::string_view key = assignment.substr(0, assignment.find('='));
  return key == "rounds" || !shapes_results(key);
}

Settings requested_settings(const RunRequest& request) {
  Settings settings = load_config(request.resume ? RunDirectory::config_of(request.directory) : request.config);
  for (const std::string& assignment : request.overrides) {
    expect(!request.resume || may_change_on_resume(assignment),
           "--resume: expected --set of rounds, runtime, checkpoint or data.root only, found '{}'", assignment);
    apply_override(settings, assignment);
  }
  if (!request.resume) name_loaded_plugins(settings);
  return settings;
}

/// One experiment in the leading process: rounds, evaluation, records and checkpoints.
class Experiment {
 public:
  Experiment(const ResolvedConfig& resolved, const Workload& workload, Runtime& runtime, ThreadPool& pool, std::unique_ptr<ServerHalf> half,
             RunDirectory directory, Texts identity)
      : config_(resolved.config),
        identity_(std::move(identity)),
        workload_(workload),
        pool_(pool),
        directory_(std::move(directory)),
        chosen_(config_.evaluation_choose_by),
        store_(directory_.checkpoints(), static_cast<std::size_t>(config_.checkpoint_keep)),
        server_(std::move(half), runtime, {static_cast<std::uint64_t>(config_.seed), workload.num_clients(), config_.min_reply_fraction},
                workload.initial_parameters()) {}

  /// Sets everything back to the newest readable checkpoint; from the start where there is none yet. Writes nothing.
  void load_checkpoint() {
    const auto newest = store_.load_newest();
    if (newest) {
      for (const std::string& warning : newest->warnings) warn("{}", warning);
      if (const auto change = first_difference(newest->state.record("settings").texts, identity_)) {
        expect(change->name != kDataRead,
               "--resume: expected the data and models that the run began with (fingerprint {}), found other files, such as under "
               "data.root ({})",
               change->first, change->second);
        throw Error(fmt::format("--resume: expected {} {} as in the checkpoint, found {} in config.toml", change->name, change->first,
                                change->second));
      }
      server_.load(newest->state.record("server"));
      totals_.load(newest->state.record("totals"));
      if (chosen_.chooses()) chosen_.load(newest->state.record("chosen"), workload_.layout()->size());
      round_ = newest->round;
      metrics_digest_ = newest->state.record("records").text("metrics");
      metrics_last_row_ = newest->state.record("records").text("last_row");
    }
    expect(newest || !directory_.finished() || !RunDirectory::succeeded(directory_.path()),
           "--resume: expected a checkpoint of the finished run in {}, found none", directory_.path().string());
    expect(round_ <= config_.rounds, "--resume: expected rounds of at least {}, where the checkpoint stands; found {}", round_,
           config_.rounds);
    warn("going on after round {}", round_);
  }

  /// Sets the run directory to where this experiment stands.
  void open_records(const Settings& resolved) {
    auto rows = directory_.rewind_metrics(static_cast<std::uint32_t>(round_), metrics_digest_, metrics_last_row_);
    directory_.write_config(resolved);
    tensorboard_.emplace(directory_.events());
    if (!rows.empty()) last_row_ = rows.back();
    for (const auto& row : rows) write_tensorboard(row);
  }

  /// Returns the signal that stopped it, or 0.
  int run_rounds(const std::function<void(long)>& after_round) {
    const InterruptGuard guard;
    ProgressBar bar(config_.strategy.name, round_, config_.rounds);
    while (round_ < config_.rounds) {
      run_round();
      bar.update(round_, brief(last_row_));
      if (after_round) after_round(round_);
      // Before a checkpoint, so that going on does not begin beyond it.
      expect(totals_.abandoned_in_a_row < static_cast<double>(config_.max_abandoned_rounds),
             "run: expected a round that enough clients answer, found {} abandoned in a row; the last: {}", totals_.abandoned_in_a_row,
             last_row_.value("abandoned", ""));
      const int signal = InterruptGuard::signal_received();
      if (signal != 0 || round_ % config_.checkpoint_every == 0 || round_ == config_.rounds) save_checkpoint();
      if (signal != 0 && round_ < config_.rounds) return signal;
    }
    if (!evaluation_is_due()) evaluate_last_round();
    expect(totals_.abandoned < static_cast<double>(round_) || round_ == 0,
           "run: expected a round that enough clients answer, found all {} abandoned; the last: {}", round_,
           last_row_.value("abandoned", ""));
    return 0;
  }

  /// `failure` is why the run failed, or empty.
  void write_summary(const std::string& failure = "") {
    const ClientModels* personal = server_.client_models();
    const auto bytes = std::as_bytes(personal == nullptr ? server_.global().values() : personal->values());
    nlohmann::ordered_json summary{
        {"strategy", config_.strategy.name},         {"workload", config_.workload.name},     {"seed", config_.seed}, {"rounds", round_},
        {"objectives", workload_.objective_names()}, {"parameters_sha256", sha256_hex(bytes)}};
    summary["status"] = failure.empty() ? "completed" : "failed";
    if (!failure.empty()) summary["failure"] = failure;
    summary["rounds_abandoned"] = static_cast<std::uint64_t>(totals_.abandoned);
    if (const auto data = identity_.find(kDataRead); data != identity_.end()) summary["data_fingerprint"] = data->second;
    for (const char* key : {"validation", "test", "overall", "clients", "fine_tuned"}) {
      if (last_row_.contains(key)) summary[key] = last_row_[key];
    }
    if (chosen_.chosen()) summary["chosen"] = chosen_.summary();
    if (const auto constant = workload_.constant_predictor(); !constant.empty()) {
      summary["constant_predictor"] = figures_json(constant, workload_.objective_names());
    }
    account_time();
    summary["wall_seconds"] = totals_.wall_seconds;
    summary["cpu_seconds"] = totals_.cpu_seconds;
    summary["peak_rss_bytes"] = peak_rss_bytes();
    summary["bytes_up"] = static_cast<std::uint64_t>(totals_.bytes_up);
    summary["bytes_down"] = static_cast<std::uint64_t>(totals_.bytes_down);
    provenance_.add_to(summary);
    directory_.write_summary(summary);
  }

  /// What other programs read of the model, or of every client's, where the workload has such files.
  void write_models() const {
    const ClientModels* personal = server_.client_models();
    if (personal == nullptr) {
      return workload_.write_model(chosen_.chosen() ? chosen_.theta() : server_.global().values(), directory_.model());
    }
    for (int client = 0; client < personal->size(); ++client) {
      workload_.write_model(personal->of(client), directory_.model() / fmt::format("client-{}", client));
    }
  }

  long rounds_done() const { return static_cast<long>(round_); }

 private:
  void run_round() {
    const auto number = static_cast<std::uint32_t>(round_ + 1);
    RoundReport report = server_.run_round(number);
    totals_.bytes_up += static_cast<double>(report.bytes_up);
    totals_.bytes_down += static_cast<double>(report.bytes_down);
    totals_.abandoned += report.abandoned ? 1 : 0;
    totals_.abandoned_in_a_row = report.abandoned ? totals_.abandoned_in_a_row + 1 : 0;
    round_ = number;
    last_row_ = round_row(report, workload_.objective_names());
    if (evaluation_is_due()) evaluate();
    directory_.append_metrics(last_row_);
    write_tensorboard(last_row_);
  }

  bool evaluation_is_due() const { return round_ % config_.evaluation_every == 0; }

  /// Evaluates the models as they are into the last row; returns what that adds to it.
  nlohmann::ordered_json evaluate() {
    const auto start = Clock::now();
    const auto evaluations = evaluate_models(server_, workload_, pool_, config_.evaluation_fine_tuned);
    chosen_.offer(round_, server_.global().values(), evaluations, workload_.objective_names());
    auto added = evaluation_json(evaluations, workload_.objective_names());
    last_row_ = with_evaluation(last_row_, added);
    last_row_["seconds"]["evaluate"] = seconds_since(start);
    warn_of_figures(added);
    return added;
  }

  /// JSON has no word for what is not finite, so that such a figure becomes null.
  void warn_of_figures(const nlohmann::ordered_json& evaluation) {
    if (warned_) return;
    const nlohmann::ordered_json flat = evaluation.flatten();
    for (const auto& [path, figure] : flat.items()) {
      if (!figure.is_number_float() || std::isfinite(figure.get<double>())) continue;
      warn("warning: round {}: {} is not finite and is recorded as null", round_, path.substr(1));
      warned_ = true;
      return;
    }
  }

  /// The last round is evaluated even where no evaluation is due. Its checkpoint knows nothing of that, so that the run
  /// can be made longer and is the same as if it had never ended here.
  void evaluate_last_round() {
    auto added = evaluate();
    directory_.replace_last_metrics(last_row_);
    added["round"] = round_;
    write_tensorboard(added);
  }

  void save_checkpoint() {
    account_time();
    directory_.sync_metrics();
    Record state;
    state.records.emplace("server", server_.save());
    state.records.emplace("totals", totals_.save());
    state.records["settings"].texts = identity_;
    state.records["records"].texts = {{"metrics", directory_.metrics_digest()}, {"last_row", directory_.last_row()}};
    if (chosen_.chooses()) state.records.emplace("chosen", chosen_.save());
    store_.save(static_cast<std::uint32_t>(round_), state);
  }

  void account_time() {
    const double cpu = cpu_seconds();
    totals_.wall_seconds += seconds_since(accounted_wall_);
    totals_.cpu_seconds += cpu - accounted_cpu_;
    accounted_wall_ = Clock::now();
    accounted_cpu_ = cpu;
  }

  void write_tensorboard(const nlohmann::ordered_json& row) {
    const auto step = row.at("round").get<std::int64_t>();
    for (const TensorboardScalar& scalar : tensorboard_scalars(row, workload_.objective_names())) {
      tensorboard_->scalar(scalar.tag, step, scalar.value, unix_time());
    }
    tensorboard_->flush();
  }

  const RunConfig& config_;
  Texts identity_;
  const Workload& workload_;
  ThreadPool& pool_;
  RunDirectory directory_;
  ChosenModel chosen_;
  CheckpointStore store_;
  Server server_;
  std::optional<TensorboardWriter> tensorboard_;
  Totals totals_;
  std::int64_t round_ = 0;
  std::string metrics_digest_, metrics_last_row_;  // as the checkpoint has them
  bool warned_ = false;
  nlohmann::ordered_json last_row_;
  Clock::time_point accounted_wall_ = Clock::now();
  double accounted_cpu_ = 0;
  Provenance provenance_;
};

}  // namespace

RunOutcome run(const RunRequest& request) {
  const ResolvedConfig resolved = resolve_config(requested_settings(request));
  const RunConfig& config = resolved.config;
  RunOutcome outcome;
  outcome.directory = request.directory;
  if (outcome.directory.empty()) outcome.directory = fmt::format("runs/{}-{}-{}", config.strategy.name, config.workload.name, config.seed);

  const auto runtime_options = read_options<RuntimeOptions>(config.runtime.settings, "runtime");
  ThreadPool pool(static_cast<std::size_t>(runtime_options.threads));
  DataLedger::begin(config.data_root);
  const auto workload = make_workload(config);
  if (!request.resume) ChosenModel(config.evaluation_choose_by).check(*workload, workload->initial_parameters().values(), pool);
  Strategy strategy = strategies().at(config.strategy.name).make(config.strategy.settings, *workload);
  const auto runtime = runtimes().at(config.runtime.name).make(runtime_options, pool, std::move(strategy.client));
  Texts identity = identity_of(resolved.resolved);
  if (const std::string data = DataLedger::fingerprint(); !data.empty()) identity[kDataRead] = data;
  runtime->expect_same(identity);
  outcome.leads = runtime->leads();
  if (!outcome.leads) {
    runtime->follow();
    return outcome;
  }

  expect(config.evaluation_choose_by.empty() || strategy.server->client_models() == nullptr,
         "evaluation.choose_by: expected a strategy with one model for all clients, found {}", config.strategy.name);
  expect(!config.evaluation_fine_tuned || strategy.server->client_models() != nullptr,
         "evaluation.fine_tuned: expected a strategy with personalized models, found {}", config.strategy.name);
  RunDirectory directory = request.resume ? RunDirectory::open(outcome.directory)
                                          : RunDirectory::create(outcome.directory, request.overwrite, resolved.resolved);
  Experiment experiment(resolved, *workload, *runtime, pool, std::move(strategy.server), std::move(directory), std::move(identity));
  if (request.resume) experiment.load_checkpoint();
  experiment.open_records(resolved.resolved);
  try {
    outcome.signal = experiment.run_rounds(request.after_round);
  } catch (const Error& failure) {
    try {
      experiment.write_summary(failure.what());
    } catch (const Error&) {  // such as a full disk, which is then the failure itself
    }
    throw;
  }
  outcome.rounds = experiment.rounds_done();
  if (outcome.signal == 0) {
    experiment.write_models();
    experiment.write_summary();
  }
  return outcome;
}

}  // namespace paretofl
