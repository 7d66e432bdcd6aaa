#include "paretofl/serve/run_watch.h"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/utf8.h"
#include "paretofl/runs/problem_split.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// From /proc/locks, whose lines are like "3: FLOCK  ADVISORY  WRITE 5946 fe:00:9978707 0 EOF"; none where there is no such file.
LockedFiles locked_files() {
  LockedFiles files;
  std::ifstream lines("/proc/locks");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, kind, word, place;
    words >> number >> kind >> word >> word >> word >> place;
    unsigned major = 0, minor = 0;
    unsigned long long inode = 0;
    if (kind == "FLOCK" && std::sscanf(place.c_str(), "%x:%x:%llu", &major, &minor, &inode) == 3)
      files.insert({makedev(major, minor), inode});
  }
  return files;
}

bool is_run_folder(const fs::path& folder) {
  return FileStamp::of(folder / "metrics.jsonl").kind != FileStamp::Kind::kMissing ||
         (FileStamp::of(folder / "config.toml").kind != FileStamp::Kind::kMissing && !is_split(folder));
}

/// The folder's name, which a page shows and which names its run in addresses.
std::string title_of(const fs::path& folder) {
  const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  return name.empty() || !is_utf8(name) ? "run" : name;
}

}  // namespace

RunWatch::RunWatch(const fs::path& folder) : folder_(fs::absolute(folder).lexically_normal()), title_(title_of(folder_)) {
  expect(fs::is_directory(folder_), "{}: expected a run directory or a folder of them, found none", folder.string());
  poll();
}

/// Adds the runs that are new. Links are not followed, so that nothing outside the folder is shown.
bool RunWatch::scan(const LockedFiles& locked) {
  std::vector<std::shared_ptr<WatchedRun>> fresh;
  const std::size_t known = runs().size();
  if (known == 0 && is_run_folder(folder_)) {
    fresh.push_back(std::make_shared<WatchedRun>(title_, folder_));
    single_ = true;
  }
  std::error_code failure;
  for (fs::directory_iterator entry(folder_, failure); !single_ && !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (find(name) || known + fresh.size() >= kMaxRuns || !is_utf8(name)) continue;
    if (FileStamp::of(entry->path()).kind != FileStamp::Kind::kFolder || !is_run_folder(entry->path())) continue;
    fresh.push_back(std::make_shared<WatchedRun>(name, entry->path()));
  }
  for (const auto& run : fresh) run->poll(locked);
  const std::lock_guard lock(mutex_);
  for (const auto& run : fresh) runs_.emplace(run->name(), run);
  return !fresh.empty();
}

void RunWatch::poll() {
  const LockedFiles locked = locked_files();
  bool changed = scan(locked) || !list();
  for (const auto& run : runs()) changed |= run->poll(locked);
  if (!changed) return;
  Json entries = Json::array();
  for (const auto& run : runs()) entries.push_back(run->entry());
  auto text = std::make_shared<const std::string>(json_text(Json{{"folder", title_}, {"single", single_}, {"runs", std::move(entries)}}));
  const std::lock_guard lock(mutex_);
  list_ = std::move(text);
  ++version_;
  changed_.notify_all();
}

void RunWatch::wait(std::uint64_t& seen, std::chrono::milliseconds most) const {
  const auto end = std::chrono::steady_clock::now() + most;
  std::unique_lock lock(mutex_);
  // In short slices, since a wake-up can be lost (glibc bug 25847).
  while (version_ == seen && !closed_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    changed_.wait_for(lock, std::min(left, std::chrono::milliseconds(1000)));
  }
  seen = version_;
}

void RunWatch::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool RunWatch::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::shared_ptr<WatchedRun> RunWatch::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(name);
  return found == runs_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<WatchedRun>> RunWatch::runs() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<WatchedRun>> all;
  for (const auto& [name, run] : runs_) all.push_back(run);
  return all;
}

std::shared_ptr<const std::string> RunWatch::list() const {
  const std::lock_guard lock(mutex_);
  return list_;
}

}  // namespace paretofl
