#include "paretofl/sweeps/thread_jobs.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "paretofl/core/explanation.h"
#include "paretofl/runs/interrupt.h"

namespace paretofl {
namespace {

/// What the jobs' threads hand to the thread that waits for them.
class Calls {
 public:
  std::future<void> add(const std::function<void()>& function) {
    std::packaged_task<void()> call(function);
    std::future<void> done = call.get_future();
    {
      const std::lock_guard lock(guard_);
      calls_.push_back(std::move(call));
    }
    added_.notify_one();
    return done;
  }

  /// Waits for the next one and makes it.
  void make_next() {
    std::unique_lock lock(guard_);
    // glibc 2.36 can lose a wake-up (its bug 25847), so no wait is forever.
    while (!added_.wait_for(lock, std::chrono::milliseconds(50), [this] { return !calls_.empty(); })) {
    }
    std::packaged_task<void()> call = std::move(calls_.front());
    calls_.pop_front();
    lock.unlock();
    call();
  }

 private:
  std::mutex guard_;
  std::condition_variable added_;
  std::deque<std::packaged_task<void()>> calls_;
};

/// Which jobs have started and ended, in the waiting thread.
class Progress {
 public:
  explicit Progress(const ThreadJobs& jobs) : jobs_(jobs) {}

  /// Starts the next job; none once no other shall start.
  std::optional<std::size_t> start_next() {
    std::optional<std::size_t> started;
    keep_exception([&] {
      while (!started && may_start()) {
        const std::size_t job = next_++;
        if (starts(job)) started = job;
      }
    });
    return started;
  }

  void finish(std::size_t job, const JobEnd& end) {
    if (signal_ == 0) signal_ = end.signal;
    keep_exception([&] { jobs_.on_end(job, end); });
  }

  /// The signal after which no others started, or 0. Throws what on_start, on_end or goes_on threw first.
  int result() const {
    if (exception_) std::rethrow_exception(exception_);
    return signal_;
  }

 private:
  bool may_start() {
    if (exception_ || next_ == jobs_.count || !jobs_.goes_on()) return false;
    if (signal_ == 0) signal_ = InterruptGuard::signal_received();
    return signal_ == 0;
  }

  /// Whether on_start let the job begin; otherwise it has failed.
  bool starts(std::size_t job) {
    try {
      jobs_.on_start(job);
      return true;
    } catch (const std::exception& error) {
      finish(job, {.failure = explanation(error)});
      return false;
    }
  }

  template <class Body>
  void keep_exception(const Body& body) {
    try {
      body();
    } catch (...) {
      if (!exception_) exception_ = std::current_exception();
    }
  }

  const ThreadJobs& jobs_;
  std::size_t next_ = 0;
  int signal_ = 0;
  std::exception_ptr exception_;
};

JobEnd end_of(const ThreadJobs& jobs, std::size_t job, const CallInWaitingThread& call) {
  try {
    return jobs.body(job, call);
  } catch (const std::exception& error) {
    return {.failure = explanation(error)};
  }
}

void run_in_this_thread(const ThreadJobs& jobs, Progress& progress) {
  while (const std::optional<std::size_t> job = progress.start_next()) {
    progress.finish(*job, end_of(jobs, *job, [](const std::function<void()>& function) { function(); }));
  }
}

/// Each thread runs a job, then the next one that has not begun.
void run_side_by_side(const ThreadJobs& jobs, Progress& progress) {
  Calls calls;
  const CallInWaitingThread call = [&](const std::function<void()>& function) { calls.add(function).get(); };
  std::size_t working = 0;
  const auto work = [&](std::size_t first) {
    for (std::optional<std::size_t> job = first; job;) {
      const JobEnd end = end_of(jobs, *job, call);
      call([&] {
        progress.finish(*job, end);
        job = progress.start_next();
        if (!job) --working;
      });
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(std::min(jobs.at_once, jobs.count));
  while (working < jobs.at_once) {
    const std::optional<std::size_t> job = progress.start_next();
    if (!job) break;
    try {
      threads.emplace_back(work, *job);
      ++working;
    } catch (const std::system_error& error) {  // no further thread
      progress.finish(*job, {.failure = explanation(error)});
    }
  }
  while (working > 0) calls.make_next();
}

}  // namespace

int run_in_threads(const ThreadJobs& jobs) {
  const InterruptGuard guard;
  Progress progress(jobs);
  if (jobs.at_once == 1) {
    run_in_this_thread(jobs, progress);
  } else {
    run_side_by_side(jobs, progress);
  }
  return progress.result();
}

}  // namespace paretofl
