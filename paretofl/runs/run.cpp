#include "paretofl/runs/run.h"

#include <fmt/ranges.h>

#include <cstring>
#include <mutex>

#include "paretofl/adversaries/hostile_clients.h"
#include "paretofl/core/error.h"
#include "paretofl/core/shell_word.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/dp_sgd/private_workload.h"
#include "paretofl/evaluation/chosen_model.h"
#include "paretofl/evaluation/federated_evaluation.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/parties/problem_part.h"
#include "paretofl/privacy/example_account.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/agreement.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/experiment.h"
#include "paretofl/runs/process_identity.h"
#include "paretofl/runs/process_usage.h"
#include "paretofl/runs/progress_bar.h"
#include "paretofl/runs/python_workloads.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/run_start.h"
#include "paretofl/runtimes/registry.h"
#include "paretofl/runtimes/simulated_time.h"
#include "paretofl/secure_sums/secret_file.h"

namespace paretofl {
namespace {

/// The process has one ledger of what was read: runs side by side take turns in making what reads files.
std::mutex reading;

/// Whether --set gives a key that may change between a run and its continuation.
bool may_change_on_resume(std::string_view assignment) {
  const std::string_view key = assignment.substr(0, assignment.find('='));
  return key == "rounds" || !shapes_results(key);
}

Settings requested_settings(const RunRequest& request) {
  Settings settings = request.settings && !request.resume
                          ? *request.settings
                          : load_config(request.resume ? RunDirectory::config_of(request.directory) : request.config);
  if (request.resume) {
    expect_workload_at_hand(flat_texts(settings), "run",
                            fmt::format("paretofl.run(problem, resume={:?}) continues the run", request.directory.string()));
  }
  for (const std::string& assignment : request.overrides) {
    expect(!request.resume || may_change_on_resume(assignment), "--resume: expected --set of rounds, {} or checkpoint.*, found '{}'",
           fmt::join(kShapeNoResults, ", "), assignment);
  }
  apply_overrides(settings, request.overrides);
  if (!request.resume) name_loaded_plugins(settings);
  return settings;
}

RoundOptions round_options(const RunConfig& config, const RuntimeOptions& runtime, int num_clients, Summation* summation) {
  RoundOptions options{.seed = static_cast<std::uint64_t>(config.seed),
                       .num_clients = num_clients,
                       .min_reply_fraction = config.min_reply_fraction,
                       .over_sample = runtime.over_sample,
                       .poisson = config.privacy.release.poisson(),
                       .summation = summation};
  if (runtime.deadline_seconds > 0) options.deadline = std::chrono::duration<double>(runtime.deadline_seconds);
  return options;
}

ExampleAccount example_account(const RunConfig& config, const Strategy& strategy, std::uint64_t starts = 1) {
  const ReleaseOptions& stated = config.privacy.release;
  return {config.privacy.example, strategy.gradients_per_round, stated.accountant, stated.delta, stated.budget, starts};
}

/// Throws Error where what the config keeps from the server is what something else would tell it.
void expect_privacy(const RunConfig& config, const Strategy& strategy, const Workload& workload) {
  const PrivacyOptions& privacy = config.privacy;
  privacy.check();
  if (privacy.noisy()) {
    const char* noise = privacy.release.noisy() ? "privacy.noise_multiplier" : "privacy.example_noise_multiplier";
    const std::vector<std::string> exact = workload.exact_statistics();
    expect(
        exact.empty(),
        "{}: expected a workload whose model tells no exact statistics of the clients' rows, which epsilon does not count, found {} (see "
        "docs/privacy.md)",
        noise, fmt::join(exact, " and "));
  }
  expect(
      !privacy.release.noisy() || workload.has_all_objectives(),
      "privacy.noise_multiplier: expected that every client has every objective, since lambda tells which objectives a cohort has; found "
      "clients with some of them");
  if (privacy.example.clips()) {
    expect(strategy.gradients_per_round > 0,
           "privacy.example_clip: expected a strategy that says how many gradients a client takes in a round, found {}",
           config.strategy.name);
    expect(!config.evaluation_federated || !privacy.example.noisy(),
           "evaluation.federated: expected false with privacy.example_noise_multiplier, found true");
  }
  if (privacy.example.noisy()) {
    ExampleAccount first = example_account(config, strategy);
    first.note_round({0});
    expect(privacy.release.budget == 0 || first.epsilon() <= privacy.release.budget,
           "privacy.budget: expected an epsilon of at least {:.6g} for the gradients of one round, found {}", first.epsilon(),
           privacy.release.budget);
  }
  if (!privacy.sums_only()) return;
  expect(!privacy.secure_aggregation || workload.num_clients() >= 3, "privacy.secure_aggregation: expected at least 3 clients, found {}",
         workload.num_clients());
  const char* key = privacy.secure_aggregation ? "privacy.secure_aggregation" : "privacy.clip";
  expect(strategy.server->works_on_sums(),
         "{}: expected a strategy whose server needs sums over the cohort alone, found {} with options under which it needs single replies",
         key, config.strategy.name);
  expect(!privacy.release.noisy() || strategy.server->works_on_noised_sums(),
         "privacy.noise_multiplier: expected a strategy that needs nothing but means with equal weights (client_weighting = uniform) of "
         "vectors whose norms can be clipped, found {} with options under which it needs others",
         config.strategy.name);
  expect(!config.evaluation_federated, "evaluation.federated: expected false with {}, found true", key);
}

/// What the noise follows from, and where clients are parties also the cohorts: a secret of the server's there, and otherwise the seed.
Secret noise_root(const RunConfig& config, const std::filesystem::path& directory, bool parties) {
  if (!parties || !config.privacy.release.noisy()) return simulated_noise_key(static_cast<std::uint64_t>(config.seed));
  return secret_in("secret of the server's noise", directory / "federation/noise_secret");
}

std::uint64_t seed_from(const Secret& secret) {
  std::uint64_t seed = 0;
  std::memcpy(&seed, secret.derive("seed of cohorts").bytes().data(), sizeof(seed));
  return seed;
}

/// The clients that this process computes itself, where it does.
ClientFactory own_clients(const RunConfig& config, ClientFactory factory, const Workload& workload) {
  return config.privacy.protect(with_held_out_evaluation(std::move(factory), workload), static_cast<std::size_t>(workload.num_clients()),
                                *workload.layout(), simulated_secrets(static_cast<std::uint64_t>(config.seed)));
}

/// An agent whose run is over before its first gradient step returns the networks that it began with.
void warn_of_no_learning(const RunConfig& config, std::int64_t local_steps, const Workload& workload, const Texts& identity) {
  const std::int64_t first = workload.first_learning_step(), steps = config.rounds * local_steps;
  if (local_steps == 0 || steps >= first) return;
  const auto starts = identity.find("workload.agent.learning_starts"), freq = identity.find("workload.agent.train_freq");
  warn(
      "warning: workload.agent.learning_starts: expected agents that learn within {} rounds of {} local steps, {} steps of each client, "
      "found {} steps{} before a client's first gradient step: no model changes",
      config.rounds, local_steps, steps, starts == identity.end() ? std::to_string(first - 1) : starts->second,
      freq == identity.end() || freq->second == "1" ? "" : fmt::format(" and a train_freq of {}", freq->second));
}

/// A round may take long.
constexpr const char* kAtInterrupt = "paretofl: ends after this round, with a checkpoint; Ctrl-C again ends it at once\n";

/// Where the end of one process ends the others, SIGTERM may be all that the one that leads hears of it.
std::string last_words(const Runtime& runtime, const std::filesystem::path& directory) {
  if (runtime.launcher().empty()) return "";
  return fmt::format(
      "paretofl: SIGTERM: the job is told to end, which also happens when one of its processes has died; continue from the newest "
      "checkpoint "
      "with: {}paretofl run --resume {}\n",
      runtime.launcher(), shell_word(directory.string()));
}

}  // namespace

RunOutcome run(const RunRequest& request) {
  const double cpu_before = process_cpu_seconds();
  const ResolvedConfig resolved = resolve_config(requested_settings(request));
  const RunConfig& config = resolved.config;
  RunOutcome outcome;
  outcome.directory = request.directory;
  if (outcome.directory.empty()) {
    outcome.directory = request.parent / fmt::format("runs/{}-{}-{}", config.strategy.name, config.workload.name, config.seed);
  }

  const auto runtime_options = read_options<RuntimeOptions>(config.runtime.settings, "runtime");
  ThreadPool pool(static_cast<std::size_t>(runtime_options.threads));
  std::unique_lock turn(reading);
  DataLedger::begin(config.data_root);
  const std::optional<ProblemPart> part = part_in(config.data_root);
  const auto expect_parties = [&](bool there) {
    if (!part || there) return;
    throw Error(
        fmt::format("data.root: expected the data of all parties, found those of {} alone in {}{}", part->owner(), config.data_root,
                    part->is_server() ? "; its run needs clients in processes of their own, as `paretofl federate` starts them" : ""));
  };
  expect_parties(part && part->is_server());
  const auto workload = make_workload(config, part);
  if (!request.resume) ChosenModel(config.evaluation_choose_by).check(*workload, workload->initial_parameters().values(), pool);
  const auto seed = static_cast<std::uint64_t>(config.seed);
  const auto trained =
      config.privacy.example.clips() ? std::make_unique<PrivateWorkload>(*workload, config.privacy, simulated_secrets(seed)) : nullptr;
  const HostileClients hostile(make_adversary(config.adversary), seed, trained ? *trained : *workload);
  Strategy strategy = strategies().at(config.strategy.name).make(config.strategy.settings, hostile.workload());
  expect_privacy(config, strategy, *workload);
  const auto runtime =
      with_simulated_time(runtimes()
                              .at(config.runtime.name)
                              .make(runtime_options, pool, own_clients(config, hostile.among(std::move(strategy.client)), *workload)),
                          runtime_options, static_cast<std::uint64_t>(config.seed), workload->num_clients());
  expect_parties(runtime->has_parties());
  if (runtime->has_parties()) config.expect_honest_parties();
  expect(
      !workload->logs_completions() || (!runtime->has_parties() && runtime->launcher().empty()),
      "workload.log_completions_every: expected 0 where clients compute in other processes, and keep what they write there; found runtime "
      "{}",
      config.runtime.name);
  expect(
      !workload->logs_completions() || !config.privacy.sums_only(),
      "workload.log_completions_every: expected 0 where privacy lets the server see sums alone, found completions of single clients asked "
      "for");
  expect(!runtime->has_parties() || (workload->part() && workload->part()->is_server()),
         "data.root: expected the server's part of a problem, which `paretofl split` writes, with runtime {}; found none in {}",
         config.runtime.name, config.data_root);
  Texts identity = identity_of(resolved.resolved);
  if (const std::string data = DataLedger::fingerprint(); !data.empty()) identity[kDataRead] = data;
  turn.unlock();
  runtime->expect_same(process_identity(identity));
  outcome.leads = runtime->leads();
  outcome.launcher = runtime->launcher();
  if (!outcome.leads) {
    runtime->follow();
    return outcome;
  }

  expect(
      config.evaluation_choose_by.empty() || (strategy.server->client_models() == nullptr && strategy.server->model_simplex() == nullptr),
      "evaluation.choose_by: expected a strategy with one model for all clients, found {}", config.strategy.name);
  expect(!config.evaluation_by_client || config.evaluation_federated,
         "evaluation.by_client: expected evaluation.federated = true with it, found false");
  expect(!config.evaluation_fine_tuned || strategy.server->client_models() != nullptr,
         "evaluation.fine_tuned: expected a strategy with personalized models, found {}", config.strategy.name);
  if (config.evaluation_fine_tuned && strategy.server->fine_tuned_models() == nullptr) {
    const auto tuned = identity.find("strategy.fine_tune");
    throw Error(tuned != identity.end() && tuned->second == "true"
                    ? "evaluation.fine_tuned: expected strategy.fine_tune = false with it, as the run's models are those before their last "
                      "mixing otherwise, found true"
                    : fmt::format("evaluation.fine_tuned: expected false with a strategy that does not mix the clients' models, found true "
                                  "with {}",
                                  config.strategy.name));
  }
  for (const auto& [key, noisy] : {std::pair("privacy.noise_multiplier", config.privacy.release.noisy()),
                                   std::pair("privacy.example_noise_multiplier", config.privacy.example.noisy())}) {
    expect(!runtime->has_parties() || !noisy || config.checkpoint_every == 1,
           "checkpoint.every: expected 1 with {} in a federation of parties, found {}", key, config.checkpoint_every);
  }
  warn_of_no_learning(config, strategy.gradients_per_round, *workload, identity);
  RunDirectory directory = request.resume ? RunDirectory::open(outcome.directory)
                                          : RunDirectory::create(outcome.directory, request.overwrite, resolved.resolved);
  std::optional<RunStart> start;
  if (runtime->has_parties()) {
    start = RunStart::next(outcome.directory);
    runtime->begin({start->run, start->starts, agreement_of(resolved, *workload), workload->num_clients()});
  }
  const std::uint64_t starts = start ? start->starts.size() : 1;
  const Secret root = noise_root(config, outcome.directory, start.has_value());
  // By the start's random number, so that two copies of a run directory have not the same noise.
  Releases releases = config.privacy.releases(static_cast<std::size_t>(workload->num_clients()), *workload->layout(),
                                              root.derive("start " + (start ? start->current() : "1")), starts);
  const auto summation = config.privacy.summation(releases);
  RoundOptions options = round_options(config, runtime_options, workload->num_clients(), summation.get());
  if (start && releases.noisy()) options.sampling_seed = seed_from(root);
  Experiment experiment(config, options, *workload, *runtime, pool, std::move(strategy.server), std::move(directory), std::move(identity));
  experiment.count_cpu_from(cpu_before);
  std::optional<ExampleAccount> examples;
  if (config.privacy.example.noisy()) {
    experiment.account_for(examples.emplace(example_account(config, strategy, starts)));
  }
  if (releases.noisy()) experiment.account_for(releases);
  if (request.resume) experiment.load_checkpoint();
  experiment.open_records(resolved.resolved);
  if (request.on_start) request.on_start(outcome.directory, workload->objective_names());
  try {
    const auto [signal, stopped] =
        experiment.run_rounds(request.after_round, request.shows_progress ? standard_error_progress() : silent_progress(),
                              {last_words(*runtime, outcome.directory), request.shows_progress ? kAtInterrupt : ""});
    outcome.signal = signal;
    outcome.stopped = stopped;
  } catch (const Error& failure) {
    try {
      experiment.write_summary(failure.what());
    } catch (const Error&) {  // such as a full disk, which is then the failure itself
    }
    throw;
  }
  outcome.rounds = experiment.rounds_done();
  if (outcome.signal == 0 && !outcome.stopped) {
    experiment.write_models();
    experiment.write_summary();
  }
  return outcome;
}

}  // namespace paretofl
