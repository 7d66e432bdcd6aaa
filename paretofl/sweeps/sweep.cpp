#include "paretofl/sweeps/sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <numeric>
#include <set>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/core/utf8.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/report/html_report.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/progress_bar.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/sweeps/grown_plan.h"
#include "paretofl/sweeps/preference_axis.h"
#include "paretofl/sweeps/process_pool.h"
#include "paretofl/sweeps/thread_jobs.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlanFile = "sweep.toml";
constexpr std::chrono::seconds kPatience{5};  // the runs of a sweep that was just killed may take a moment to go

std::size_t cores() { return std::max<std::size_t>(1, std::thread::hardware_concurrency()); }

std::int64_t threads_of(const PlannedRun& run) { return std::get<std::int64_t>(run.config.tables.at("runtime").values.at("threads")); }

/// Where the config doesn't set runtime.threads. An axis of it replaces what is set here.
void share_cores(Settings& config, std::size_t jobs) {
  const bool no_table = config.values.contains("runtime");  // which make_plan refuses
  if (!no_table)
    config.tables["runtime"].values.try_emplace("threads", static_cast<std::int64_t>(std::max<std::size_t>(1, cores() / jobs)));
}

/// How many runs go on at a time, of as many as the grid has.
std::size_t jobs_at_most(const SweepRequest& request, std::size_t configs, const std::vector<Axis>& axes) {
  if (request.jobs > 0) return request.jobs;
  if (!request.in_processes) return 1;
  std::size_t runs = configs;
  for (const Axis& axis : axes) runs = std::min(cores(), runs * axis.values.size());
  return std::clamp<std::size_t>(runs, 1, cores());
}

SweepPlan requested_plan(const SweepRequest& request) {
  std::vector<NamedSettings> configs;
  for (const fs::path& file : request.configs) {
    const std::string stem = file.stem().string();
    expect(is_utf8(stem), "sweep: expected a CONFIG whose name is UTF-8, since the runs are called after it, found '{}'", stem);
    const bool taken = stem == kPlanFile || stem == "sweep.csv" || stem == "sweep.json" || stem == "report.html";
    expect(
        !stem.starts_with('.') && !taken,
        "sweep: expected a CONFIG whose name begins with no dot and is none of the sweep's own files', since the runs are called after it, "
        "found '{}'",
        file.filename().string());
    configs.emplace_back(stem, load_config(file));
    apply_overrides(configs.back().second, request.overrides);
    name_loaded_plugins(configs.back().second);
  }
  for (const auto& [name, settings] : request.settings) {
    configs.emplace_back(name, settings);
    apply_overrides(configs.back().second, request.overrides);
    name_loaded_plugins(configs.back().second);
  }
  std::vector<Axis> axes = request.axes;
  if (request.preferences) {
    std::optional<Axis> preferences;
    for (const auto& [name, settings] : configs) {
      Settings first = settings;
      std::vector<std::string> assignments = within_axes(request.overrides, request.axes);
      for (const Axis& axis : request.axes) assignments.push_back(fmt::format("{}={}", axis.key, axis.values.front()));
      apply_overrides(first, std::move(assignments));
      const Axis found = preference_axis(*request.preferences, first);
      expect(!preferences || preferences->key == found.key,
             "--preferences: expected configs of one option, found {} and {} of {}; strategies whose preference is another option take one "
             "sweep each, compared by paretofl report --fronts A B",
             preferences ? preferences->key : "", found.key, name);
      expect(!preferences || preferences->values == found.values,
             "--preferences: expected configs of one number of objectives, found another one in {}", name);
      preferences = found;
    }
    if (preferences) axes.push_back(*preferences);
  }
  if (request.seeds) axes.push_back(*request.seeds);
  const std::size_t jobs = jobs_at_most(request, configs.size(), axes);
  for (auto& [name, settings] : configs) share_cores(settings, jobs);
  SweepPlan plan = make_plan(configs, axes, request.overrides);
  for (const PlannedRun& run : plan.runs) {
    const auto& runtime = std::get<std::string>(run.config.tables.at("runtime").values.at("name"));
    expect(runtime == "threads", "sweep: expected the runtime threads, since each run is one process, found {} in {}", runtime, run.name);
  }
  return plan;
}

/// Throws unless the folder is empty; what was killed while starting counts as empty.
void expect_fresh(const fs::path& directory) {
  expect(!fs::exists(directory / kPlanFile), "sweep: expected {} to be empty or absent, found a sweep in it; use --resume",
         directory.string());
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    expect(name == std::string(kPlanFile) + ".tmp" || name == FolderLock::kFile, "sweep: expected {} to be empty or absent, found {} in it",
           directory.string(), name);
  }
}

bool has_configs(const SweepRequest& request) { return !request.configs.empty() || !request.settings.empty(); }

void check_request(const SweepRequest& request) {
  expect(has_configs(request) || request.resume, "sweep: expected CONFIG, or --resume for the sweep that the folder holds, found neither");
  expect(!request.directory.empty(), "sweep: expected --dir DIR, found none");
  expect(has_configs(request) || (request.overrides.empty() && request.axes.empty()),
         "sweep: expected CONFIG with --set or --over, found none");
  expect(!request.resume || fs::exists(request.directory / kPlanFile), "sweep: expected a sweep to resume in {}, found no {}",
         request.directory.string(), kPlanFile);
}

/// Throws Error unless every workload of the plan has so many objectives; `what` has such a number of them.
void expect_objectives(const char* what, std::size_t count, const SweepPlan& plan) {
  std::set<std::string> checked;
  for (const PlannedRun& run : plan.runs) {
    if (!checked.insert(to_toml(run.config.tables.at("workload"))).second) continue;
    const RunConfig config = resolve_config(run.config).config;
    const std::size_t objectives = make_workload(config)->num_objectives();
    expect(count == objectives, "{}: expected {} numbers for {}, found {}", what, objectives, config.workload.name, count);
  }
}

void check_reference(const std::vector<double>& reference, const SweepPlan& plan) {
  if (!reference.empty()) expect_objectives("reference point", reference.size(), plan);
}

/// Preferences are made for the first values of the other axes, which may change the number of objectives.
void check_preferences(const SweepRequest& request, const SweepPlan& plan) {
  const bool others =
      std::any_of(request.axes.begin(), request.axes.end(), [](const Axis& axis) { return axis.key.starts_with("workload"); });
  if (!request.preferences || !others) return;
  for (const char* key : {"preference", "objective_weights"}) {
    const auto& strategy = plan.runs.front().config.tables.at("strategy").values;
    const auto found = strategy.find(key);
    const auto* values = found == strategy.end() ? nullptr : std::get_if<std::vector<double>>(&found->second);
    if (values != nullptr && !values->empty()) expect_objectives("--preferences", values->size(), plan);
  }
}

/// The stored plan, with the seeds and preferences that are asked for.
SweepPlan resumed_plan(const SweepRequest& request, const SweepPlan& stored) {
  std::vector<Axis> axes;
  if (request.preferences) axes.push_back(preference_axis(*request.preferences, stored.runs.front().config));
  if (request.seeds) axes.push_back(*request.seeds);
  return grown_plan(stored, axes);
}

/// The plan that the folder now follows: the one asked for, if any, where it fits what the folder holds.
SweepPlan settled_plan(const SweepRequest& request, std::optional<SweepPlan> wanted) {
  if (!request.resume) {
    expect_fresh(request.directory);
    return std::move(*wanted);
  }
  const fs::path file = request.directory / kPlanFile;
  SweepPlan stored = SweepPlan::from_settings(load_config(file), file.string());
  if (!wanted) {
    check_reference(request.reference, stored);
    return resumed_plan(request, stored);
  }
  const std::string change = difference(stored, without_growth(stored, *wanted));
  expect(change.empty(), "sweep: expected the sweep that {} holds, found another: {}", request.directory.string(), change);
  return std::move(*wanted);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  expect(!error, "sweep: expected to make {}, found: {}", folder.string(), error.message());
}

/// Throws where the run's folder holds a run of other settings, which would count as this one, or be lost to it.
void expect_own_run(const fs::path& folder, const PlannedRun& planned) {
  const fs::path file = folder / "config.toml";
  if (!fs::exists(file)) return;
  Settings found;
  try {
    found = load_config(file);
  } catch (const Error&) {
    if (RunDirectory::succeeded(folder)) throw;
    return;  // it is written again
  }
  Texts shape = identity_of(found);
  if (const auto rounds = found.values.find("rounds"); rounds != found.values.end()) shape.emplace("rounds", to_text(rounds->second));
  Texts wanted = shape_of(planned.config);  // what only one of the two has is of another version
  std::erase_if(wanted, [&](const auto& setting) { return !shape.contains(setting.first); });
  std::erase_if(shape, [&](const auto& setting) { return !wanted.contains(setting.first); });
  const auto change = first_difference(wanted, shape);
  expect(!change, "{}: expected the run that {} plans there, with {} {}, found one with {}; move it away to have the sweep run its own",
         folder.string(), kPlanFile, change->name, change->first, change->second);
}

/// Goes on with a planned run.
RunOutcome go_on(const fs::path& folder, const StartObserver& on_start, const RoundObserver& after_round, bool shows_progress) {
  RunOutcome outcome = run({.config = {},
                            .directory = folder,
                            .overrides = {},
                            .overwrite = false,
                            .resume = true,
                            .on_start = on_start,
                            .after_round = after_round,
                            .shows_progress = shows_progress});
  write_html_report({load_run(folder)}, folder / "report.html");
  return outcome;
}

/// In the run's own process, which says what it has to say in the folder's log. Returns its exit code.
int run_with_log(const fs::path& folder, const std::function<void(std::int64_t)>& progress) {
  // Without waiting for a reader, should a pipe be in its place.
  const int log = ::open((folder / "log.txt").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (log < 0 || ::dup2(log, STDOUT_FILENO) < 0 || ::dup2(log, STDERR_FILENO) < 0) return 1;
  try {
    const auto after_round = [&](const nlohmann::ordered_json& row) {
      progress(row.at("round").get<std::int64_t>());
      return true;
    };
    const int signal = go_on(folder, {}, after_round, true).signal;
    return signal == 0 ? 0 : 128 + signal;
  } catch (const std::exception& error) {
    warn("{}", explanation(error));
    return 1;
  }
}

/// In a thread of this process.
JobEnd run_observed(const fs::path& folder, const std::string& name, const SweepObserver& observer, const CallInWaitingThread& call,
                    const std::function<void(std::int64_t)>& progress) {
  const auto on_start = [&](const fs::path& directory, const std::vector<std::string>& objectives) {
    if (observer.on_start) call([&] { observer.on_start(name, directory, objectives); });
  };
  const auto after_round = [&](const nlohmann::ordered_json& row) {
    bool goes_on = true;
    call([&] {
      progress(row.at("round").get<std::int64_t>());
      if (observer.after_round) goes_on = observer.after_round(name, row);
    });
    return goes_on;
  };
  const RunOutcome outcome = go_on(folder, on_start, after_round, false);
  return {.signal = outcome.signal, .stopped = outcome.stopped || outcome.signal != 0};
}

/// A run that was killed after its summary may have its page half-written.
void finish_page(const fs::path& folder) {
  const fs::path page = folder / "report.html";
  if (!fs::exists(page) || fs::exists(page.string() + ".tmp")) write_html_report({load_run(folder)}, page);
}

std::string reason_of(const JobEnd& end, const fs::path& folder) {
  if (!end.failure.empty()) return end.failure;
  if (end.signal != 0) return fmt::format("ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  if (end.code > 128 && end.code <= 128 + SIGRTMAX) {
    return fmt::format("stopped by signal {} ({}), with a checkpoint; --resume goes on", end.code - 128, ::strsignal(end.code - 128));
  }
  std::string last = fmt::format("exit code {}", end.code);
  try {
    for_each_line(read_file(folder / "log.txt"), [&](std::string_view line, std::size_t) {
      if (!line.empty()) last = line;
    });
  } catch (const Error&) {  // nothing can be read of why
  }
  return last.starts_with("paretofl: ") ? last.substr(10) : last;
}

/// Follows the runs of a sweep: what is done, what failed, and a bar over all rounds.
class SweepProgress {
 public:
  SweepProgress(const SweepPlan& plan, std::vector<const PlannedRun*> pending, fs::path directory, ProgressOutput output)
      : pending_(std::move(pending)),
        directory_(std::move(directory)),
        ended_(plan.runs.size() - pending_.size()),
        count_(plan.runs.size()),
        done_(pending_.size()),
        bar_("sweep", 0, total_rounds(), "rounds", std::move(output)) {}

  void on_progress(std::size_t job, std::int64_t rounds) {
    done_[job] = rounds;
    show();
  }

  void on_end(std::size_t job, const JobEnd& end) {
    const std::string& name = pending_[job]->name;
    if (end.ok()) {
      bar_.say(fmt::format("paretofl: {}/{} {}", ++ended_, count_, name));
      show();
    } else {
      unwell_.emplace_back(job, end);
    }
  }

  /// The runs that a signal to the sweep does not explain, in order.
  std::vector<FailedRun> failed(int signal) {
    std::sort(unwell_.begin(), unwell_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<FailedRun> failed;
    for (const auto& [job, end] : unwell_) {
      if (end.stopped || (signal != 0 && (end.signal == signal || end.code == 128 + signal))) continue;
      failed.push_back({pending_[job]->name, reason_of(end, directory_ / pending_[job]->name)});
    }
    return failed;
  }

  long total_rounds() const {
    long total = 0;
    for (const PlannedRun* run : pending_) total += static_cast<long>(std::get<std::int64_t>(run->config.values.at("rounds")));
    return total;
  }

 private:
  /// The last round of the last run is shown when that run has ended.
  void show() {
    const long done = std::accumulate(done_.begin(), done_.end(), 0L);
    if (done < total_rounds() || ended_ == count_) bar_.update(done, fmt::format("{} of {} runs", ended_, count_));
  }

  std::vector<const PlannedRun*> pending_;
  fs::path directory_;
  std::size_t ended_;
  std::size_t count_;
  std::vector<std::int64_t> done_;
  ProgressBar bar_;
  std::vector<std::pair<std::size_t, JobEnd>> unwell_;
};

}  // namespace

SweepOutcome sweep(const SweepRequest& request) {
  check_request(request);
  std::optional<SweepPlan> wanted;
  if (has_configs(request)) {
    wanted = requested_plan(request);
    check_reference(request.reference, *wanted);
    check_preferences(request, *wanted);
  }
  make_folder(request.directory);
  if (!request.resume) expect_fresh(request.directory);
  const FolderLock lock(request.directory, "sweep", kPatience);
  SweepOutcome outcome{.plan = settled_plan(request, std::move(wanted)), .failed = {}};
  for (const PlannedRun& run : outcome.plan.runs) expect_own_run(request.directory / run.name, run);
  write_whole_file(request.directory / kPlanFile, to_toml(outcome.plan.to_settings()));

  std::vector<const PlannedRun*> pending;
  std::int64_t threads = 1;
  for (const PlannedRun& run : outcome.plan.runs) {
    threads = std::max(threads, threads_of(run));
    const fs::path folder = request.directory / run.name;
    if (RunDirectory::succeeded(folder)) {
      load_run(folder);  // what could not be put into the table is known before the others run
      finish_page(folder);
    } else {
      pending.push_back(&run);
    }
  }
  const std::size_t fitting = request.in_processes ? std::max<std::size_t>(1, cores() / static_cast<std::size_t>(threads)) : 1;
  const std::size_t jobs = request.jobs > 0 ? request.jobs : fitting;
  const std::size_t done = outcome.plan.runs.size() - pending.size();
  if (request.shows_progress) warn("{} runs, {} of them done; {} at a time", outcome.plan.runs.size(), done, jobs);

  SweepProgress progress(outcome.plan, pending, request.directory, request.shows_progress ? standard_error_progress() : silent_progress());
  const SweepObserver& observer = request.observer;
  if (observer.on_plan && !request.in_processes) observer.on_plan(outcome.plan.runs.size(), done, progress.total_rounds());
  const auto folder = [&](std::size_t job) { return request.directory / pending[job]->name; };
  const auto on_start = [&](std::size_t job) {
    make_folder(folder(job));
    write_whole_file(folder(job) / "config.toml", to_toml(pending[job]->config));
  };
  const auto on_progress = [&](std::size_t job, std::int64_t rounds) { progress.on_progress(job, rounds); };
  if (request.in_processes) {
    outcome.signal = run_in_processes({.count = pending.size(),
                                       .at_once = jobs,
                                       .body = [&](std::size_t job, const auto& say) { return run_with_log(folder(job), say); },
                                       .on_start = on_start,
                                       .on_progress = on_progress,
                                       .on_end = [&](std::size_t job, const JobEnd& end) { progress.on_end(job, end); }});
  } else {
    const auto on_end = [&](std::size_t job, const JobEnd& end) {
      progress.on_end(job, end);
      const bool failed = !end.ok() && !end.stopped;
      if (observer.on_end) observer.on_end(pending[job]->name, failed ? reason_of(end, folder(job)) : "", end.stopped);
    };
    const auto body = [&](std::size_t job, const CallInWaitingThread& call) {
      return run_observed(folder(job), pending[job]->name, observer, call, [&](std::int64_t rounds) { on_progress(job, rounds); });
    };
    outcome.signal =
        run_in_threads({.count = pending.size(), .at_once = jobs, .body = body, .on_start = on_start, .on_end = on_end, .goes_on = [&] {
                          return !observer.goes_on || observer.goes_on();
                        }});
  }
  outcome.failed = progress.failed(outcome.signal);
  return outcome;
}

}  // namespace paretofl
