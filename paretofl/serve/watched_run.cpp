#include "paretofl/serve/watched_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "paretofl/core/explanation.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/run_data.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::uint64_t kMaxSmallFile = 16 << 20;  // bytes

/// By which a page may lag behind, at most.
constexpr std::chrono::nanoseconds kMaxLag = std::chrono::seconds(10);

/// Processor time of this thread.
std::chrono::nanoseconds thread_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Throws Error where a name leads elsewhere.
void expect_no_links(const fs::path& folder) {
  for (const char* file : {"", "config.toml", "metrics.jsonl", "summary.json", "model", "model/completions.jsonl"}) {
    const bool link = FileStamp::of(*file == 0 ? folder : folder / file).kind == FileStamp::Kind::kLink;
    expect(!link, "{}: expected a file of the run's own, found a link", *file == 0 ? folder.filename().string() : file);
  }
}

}  // namespace

bool WatchedRun::poll(const LockedFiles& locked) {
  bool changed = false;
  if (const FileStamp stamp = FileStamp::of(folder_ / "config.toml"); stamp != config_stamp_ || entry_.is_null()) {
    changed = true;
    config_stamp_ = stamp;
    read_config(stamp);
  }
  if (const FileStamp stamp = FileStamp::of(folder_ / "summary.json"); stamp != summary_stamp_) {
    changed = true;
    summary_stamp_ = stamp;
    read_summary(stamp);
  }
  changed |= rows_.poll([&] { figures_ = {}; }, [&](std::string_view row, const std::string& where) { figures_.add(row, where); });

  const std::string state = this->state(locked);
  if (!changed && entry_.at("state") == state) return false;
  Json entry = {{"name", name_}, {"state", state}};
  entry.update(config_);
  entry["rounds"] = figures_.round;
  entry["event"] = rows_.last().text();
  entry["bytes_up"] = figures_.bytes_up;
  entry["bytes_down"] = figures_.bytes_down;
  entry["seconds"] = figures_.seconds;
  entry["failures"] = figures_.failures;
  entry["late"] = figures_.late;
  entry["last"] = figures_.last;
  std::string error = rows_.damage();
  for (const std::string& other : {config_error_, summary_error_}) {
    if (error.empty()) error = other;
  }
  if (state == "vanished") error = "expected a run directory, found none";
  if (!error.empty()) entry["error"] = error;
  const std::lock_guard lock(mutex_);
  entry_ = std::move(entry);
  return true;
}

void WatchedRun::read_config(const FileStamp& stamp) {
  config_ = Json::object();
  config_error_.clear();
  try {
    const fs::path file = folder_ / "config.toml";
    expect(stamp.is_file(), "config.toml: expected a run's config, found none");
    expect(stamp.size <= kMaxSmallFile, "config.toml: expected at most {} bytes, found {}", kMaxSmallFile, stamp.size);
    const Texts keys = flat_texts(load_config(file));
    for (const auto& [name, key] : {std::pair("strategy", "strategy.name"), {"workload", "workload.name"}, {"seed", "seed"}}) {
      if (const auto found = keys.find(key); found != keys.end()) config_[name] = found->second;
    }
    if (const auto found = keys.find("rounds"); found != keys.end()) {
      const Json rounds = Json::parse(found->second, nullptr, false);
      if (rounds.is_number()) config_["rounds_planned"] = rounds;
    }
  } catch (const std::exception& error) {
    config_error_ = explanation(error);
  }
}

void WatchedRun::read_summary(const FileStamp& stamp) {
  summary_ = nullptr;
  summary_error_.clear();
  if (stamp.kind == FileStamp::Kind::kMissing) return;
  try {
    expect(stamp.is_file(), "summary.json: expected a file, found something else");
    summary_ = parse_ordered_json(read_file(folder_ / "summary.json", kMaxSmallFile), "summary.json");
    expect(summary_.is_object(), "summary.json: expected an object, found {}", summary_.type_name());
  } catch (const std::exception& error) {
    summary_ = nullptr;
    summary_error_ = explanation(error);
  }
}

std::string WatchedRun::state(const LockedFiles& locked) const {
  if (FileStamp::of(folder_).kind != FileStamp::Kind::kFolder) return "vanished";
  const FileStamp lock = FileStamp::of(folder_ / FolderLock::kFile);
  const bool works = lock.is_file() && locked.contains({lock.device, lock.inode});
  // A run that begins again has no config for a moment.
  if (works && config_stamp_.kind == FileStamp::Kind::kMissing) return "running";
  if (!rows_.damage().empty() || !config_error_.empty() || !summary_error_.empty()) return "damaged";
  if (summary_.is_object()) return summary_.value("status", Json("completed")) == "failed" ? "failed" : "completed";
  return works ? "running" : "unfinished";
}

Json WatchedRun::entry() const {
  const std::lock_guard lock(mutex_);
  return entry_;
}

std::shared_ptr<const std::string> WatchedRun::page(bool patient) {
  using Clock = std::chrono::steady_clock;
  const std::lock_guard lock(page_mutex_);
  const Json now = entry();
  const Clock::time_point begin = Clock::now();
  const std::chrono::nanoseconds spent = thread_time();
  const bool due = !page_ || !patient || begin - page_made_ >= std::min(100 * page_cost_, kMaxLag);
  if (paged_ == now && page_) return page_;
  if (!due) return page_;
  page_ = std::make_shared<const std::string>(json_text(page_json(now)));
  paged_ = now;
  page_made_ = Clock::now();
  page_cost_ = thread_time() - spent;
  return page_;
}

Json WatchedRun::page_json(const Json& entry) const {
  Json page = {{"run", entry}, {"data", nullptr}};
  try {
    expect_no_links(folder_);
    page["data"] = page_data({load_run(folder_)});
  } catch (const std::exception& error) {
    if (!page["run"].contains("error")) page["run"]["error"] = explanation(error);
  }
  return page;
}

}  // namespace paretofl
