#include "paretofl/runs/experiment.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <set>

#include "paretofl/adversaries/hostile_clients.h"
#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/evaluation/federated_evaluation.h"
#include "paretofl/evaluation/model_evaluation.h"
#include "paretofl/evaluation/round_row.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/interrupt.h"
#include "paretofl/runs/plugin_files.h"
#include "paretofl/runs/process_usage.h"
#include "paretofl/runs/progress_bar.h"

namespace paretofl {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

ModelDescription description_of(const Workload& workload, const Server& server) {
  const ClientModels* personal = server.client_models();
  return ModelDescription::of(workload, personal == nullptr ? 0 : static_cast<std::size_t>(personal->size()));
}

double unix_time() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// The place of the first figure that is not finite, such as "/test/loss/first"; nullopt where all are.
std::optional<std::string> first_not_finite(const nlohmann::ordered_json& figures) {
  if (figures.is_number_float() && !std::isfinite(figures.get<double>())) return "";
  if (!figures.is_structured()) return {};
  for (const auto& [key, inner] : figures.items()) {
    if (const auto path = first_not_finite(inner)) return "/" + key + *path;
  }
  return {};
}

}  // namespace

Experiment::Experiment(const RunConfig& config, const RoundOptions& round_options, const Workload& workload, Runtime& runtime,
                       ThreadPool& pool, std::unique_ptr<ServerHalf> half, RunDirectory directory, Texts identity)
    : config_(config),
      identity_(std::move(identity)),
      workload_(workload),
      runtime_(runtime),
      round_options_(round_options),
      pool_(pool),
      directory_(std::move(directory)),
      completions_(directory_.path()),
      chosen_(config_.evaluation_choose_by),
      store_(directory_.checkpoints(), static_cast<std::size_t>(config_.checkpoint_keep)),
      server_(std::move(half), runtime, round_options, workload.initial_parameters()),
      model_description_(description_of(workload, server_).save()) {}

void Experiment::load_checkpoint() {
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
    if (const auto plugins = newest->state.records.find(kPluginFiles); plugins != newest->state.records.end()) {
      warn_of_other_plugins("--resume", plugins->second.texts);
    }
    server_.load(newest->state.record("server"));
    totals_.load(newest->state.record("totals"));
    if (account_ != nullptr) account_->load(newest->state.record("releases"));
    if (chosen_.chooses()) chosen_.load(newest->state.record("chosen"), workload_.layout()->size());
    round_ = newest->round;
    metrics_digest_ = newest->state.record("records").text("metrics");
    metrics_last_row_ = newest->state.record("records").text("last_row");
  }
  expect(newest || !directory_.finished() || !RunDirectory::succeeded(directory_.path()),
         "--resume: expected a checkpoint of the finished run in {}, found none", directory_.path().string());
  expect(round_ <= config_.rounds, "--resume: expected rounds of at least {}, where the checkpoint stands; found {}", round_,
         config_.rounds);
  if (!newest) return;
  if (round_ < config_.rounds) return warn("going on after round {}", round_);
  warn("all {} rounds are done; a larger `rounds` makes the run longer", round_);
}

void Experiment::open_records(const Settings& resolved) {
  auto rows = directory_.rewind_metrics(static_cast<std::uint32_t>(round_), metrics_digest_, metrics_last_row_);
  if (workload_.logs_completions()) completions_.rewind(static_cast<std::uint32_t>(round_));
  directory_.write_config(resolved);
  tensorboard_.emplace(directory_.events());
  if (!rows.empty()) last_row_ = rows.back();
  for (const auto& row : rows) write_tensorboard(row);
}

EarlyEnd Experiment::run_rounds(const RoundObserver& after_round, ProgressOutput progress, const SignalWords& words) {
  const InterruptGuard guard(words.at_end, words.at_interrupt);
  ProgressBar bar(config_.strategy.name, round_, config_.rounds, "rounds", std::move(progress));
  while (round_ < config_.rounds && affords_next_round()) {
    run_round();
    bar.update(round_, brief(last_row_));
    const bool stop = after_round && !after_round(last_row_);
    // Before a checkpoint, so that going on does not begin beyond it.
    expect(totals_.abandoned_in_a_row < static_cast<double>(config_.max_abandoned_rounds),
           "run: expected a round that enough clients answer, found {} abandoned in a row; the last: {}", totals_.abandoned_in_a_row,
           last_row_.value("abandoned", ""));
    const int signal = InterruptGuard::signal_received();
    const bool ends = (signal != 0 || stop) && round_ < config_.rounds;
    if (ends || round_ % config_.checkpoint_every == 0 || round_ == config_.rounds || !affords_next_round()) save_checkpoint();
    if (ends) return {signal, stop};
  }
  if (round_ < config_.rounds) {
    warn("ends after round {}: one more would exceed privacy.budget", round_);
  }
  if (!evaluation_is_due()) evaluate_last_round();
  expect(totals_.abandoned < static_cast<double>(round_) || round_ == 0,
         "run: expected a round that enough clients answer, found all {} abandoned; the last: {}", round_,
         last_row_.value("abandoned", ""));
  if (totals_.failures > 0) {
    warn("warning: clients failed or were too late {} times, and did not count; metrics.jsonl says which, and why", totals_.failures);
  }
  return {};
}

std::vector<std::string> Experiment::metrics_of_unlike_units() const {
  std::set<std::string> unlike;
  for (const char* split : {"train", "validation", "test"}) {
    if (!last_row_.contains(split)) continue;
    for (const auto& [metric, values] : last_row_[split].items()) {
      if (values.size() > 1 && !workload_.shares_unit(metric)) unlike.insert(metric);
    }
  }
  return {unlike.begin(), unlike.end()};
}

void Experiment::write_summary(const std::string& failure) {
  const ClientModels* personal = server_.client_models();
  const ModelSimplex* simplex = server_.model_simplex();
  const auto bytes = std::as_bytes(personal != nullptr  ? personal->values()
                                   : simplex != nullptr ? simplex->vertices().values()
                                                        : server_.global().values());
  nlohmann::ordered_json summary{
      {"strategy", config_.strategy.name},         {"workload", config_.workload.name},     {"seed", config_.seed}, {"rounds", round_},
      {"objectives", workload_.objective_names()}, {"parameters_sha256", sha256_hex(bytes)}};
  summary["seed_changes_problem"] = workload_.seed_changes_problem();
  summary["unlike_units"] = metrics_of_unlike_units();
  summary["status"] = failure.empty() ? "completed" : "failed";
  if (!failure.empty()) summary["failure"] = failure;
  summary["rounds_abandoned"] = static_cast<std::uint64_t>(totals_.abandoned);
  summary["late"] = static_cast<std::uint64_t>(totals_.late);
  summary["failures"] = static_cast<std::uint64_t>(totals_.failures);
  const HostileClients hostile(make_adversary(config_.adversary), static_cast<std::uint64_t>(config_.seed), workload_);
  if (!hostile.clients().empty()) summary["hostile_clients"] = hostile.clients();
  if (last_row_.contains("simulated_seconds")) summary["simulated_seconds"] = totals_.simulated_seconds;
  // By it a guess of the clients' data could be confirmed, which epsilon does not count.
  const auto data = identity_.find(kDataRead);
  if (data != identity_.end() && !config_.privacy.noisy()) summary["data_fingerprint"] = data->second;
  for (const char* key : {"validation", "test", "overall", "clients", "fine_tuned", "federated", "front"}) {
    if (last_row_.contains(key)) summary[key] = last_row_[key];
  }
  if (account_ != nullptr) {
    summary["privacy_unit"] = account_->unit();
    summary["epsilon"] = account_->epsilon();
    summary["delta"] = account_->delta();
    if (round_ < config_.rounds && !affords_next_round()) summary["ended_by"] = "privacy.budget";
  }
  if (chosen_.chosen()) summary["chosen"] = chosen_.summary();
  // It is made of training labels, which epsilon does not count.
  if (const auto constant = workload_.constant_predictor(); !constant.empty() && !config_.privacy.noisy()) {
    summary["constant_predictor"] = figures_json(constant, workload_.objective_names());
  }
  totals_.account_time();
  summary["wall_seconds"] = totals_.wall_seconds;
  summary["cpu_seconds"] = totals_.cpu_seconds;
  summary["peak_rss_bytes"] = peak_rss_bytes();
  summary["bytes_up"] = static_cast<std::uint64_t>(totals_.bytes_up);
  summary["bytes_down"] = static_cast<std::uint64_t>(totals_.bytes_down);
  provenance_.add_to(summary);
  directory_.write_summary(summary);
}

void Experiment::write_models() const {
  const ClientModels* personal = server_.client_models();
  if (personal == nullptr) {
    return workload_.write_model(chosen_.chosen() ? chosen_.theta() : server_.global().values(), directory_.model());
  }
  for (int client = 0; client < personal->size(); ++client) {
    workload_.write_model(personal->of(client), directory_.model() / fmt::format("client-{}", client));
  }
}

void Experiment::run_round() {
  const auto number = static_cast<std::uint32_t>(round_ + 1);
  RoundReport report = server_.run_round(number);
  totals_.add(report);
  round_ = number;
  if (account_ != nullptr) {
    account_->note_round(report.asked);
    for (const auto& [name, figure] : account_->figures()) report.metrics.set(name, figure);
  }
  last_row_ = round_row(report, workload_.objective_names());
  if (evaluation_is_due()) evaluate();
  if (workload_.logs_completions()) completions_.append(workload_.take_completions(number));
  directory_.append_metrics(last_row_);
  write_tensorboard(last_row_);
}

nlohmann::ordered_json Experiment::evaluate() {
  const auto start = Clock::now();
  const RunModels models{.shared = server_.global().values(),
                         .clients = server_.client_models(),
                         .fine_tuned = config_.evaluation_fine_tuned ? server_.fine_tuned_models() : nullptr,
                         .simplex = server_.model_simplex()};
  const auto evaluations = evaluate_models(models, workload_, {Split::kValidation, Split::kTest}, pool_);
  chosen_.offer(round_, server_.global().values(), evaluations, workload_.objective_names());
  auto added = evaluation_json(evaluations, workload_.objective_names());
  if (config_.evaluation_federated) added["federated"] = evaluate_at_clients(models);
  last_row_ = with_evaluation(last_row_, added);
  last_row_["seconds"]["evaluate"] = seconds_since(start);
  warn_of_figures(added);
  return added;
}

nlohmann::ordered_json Experiment::evaluate_at_clients(const RunModels& models) {
  Round round(runtime_, round_options_, static_cast<std::uint32_t>(round_));
  auto figures = evaluate_held_out(round, models, workload_.objective_names(), config_.evaluation_by_client);
  if (figures["clients"] == 0 && !warned_of_held_out_) {
    warn("warning: round {}: evaluation.federated: expected clients that hold out data, found none of {}{}", round_,
         workload_.num_clients(), figures.contains("abandoned") ? "; " + figures["abandoned"].get<std::string>() : "");
    warned_of_held_out_ = true;
  }
  return figures;
}

void Experiment::warn_of_figures(const nlohmann::ordered_json& evaluation) {
  if (warned_) return;
  const std::optional<std::string> path = first_not_finite(evaluation);
  if (!path) return;
  warn("warning: round {}: {} is not finite and is recorded as null", round_, path->substr(1));
  warned_ = true;
}

void Experiment::evaluate_last_round() {
  auto added = evaluate();
  directory_.replace_last_metrics(last_row_);
  added["round"] = round_;
  write_tensorboard(added);
}

void Experiment::save_checkpoint() {
  totals_.account_time();
  directory_.sync_metrics();
  Record state;
  state.records.emplace("server", server_.save());
  state.records.emplace("totals", totals_.save());
  state.records["settings"].texts = identity_;
  state.records["records"].texts = {{"metrics", directory_.metrics_digest()}, {"last_row", directory_.last_row()}};
  if (account_ != nullptr) state.records.emplace("releases", account_->save());
  if (chosen_.chooses()) state.records.emplace("chosen", chosen_.save());
  state.records.emplace(ModelDescription::kRecord, model_description_);
  if (!plugin_digests().empty()) state.records[kPluginFiles].texts = plugin_digests();
  store_.save(static_cast<std::uint32_t>(round_), state);
}

void Experiment::write_tensorboard(const nlohmann::ordered_json& row) {
  const auto step = row.at("round").get<std::int64_t>();
  for (const TensorboardScalar& scalar : tensorboard_scalars(row, workload_.objective_names())) {
    tensorboard_->scalar(scalar.tag, step, scalar.value, unix_time());
  }
  tensorboard_->flush();
}

}  // namespace paretofl
