#include "paretofl/sweeps/thread_jobs.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
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
    added_.wait(lock, [this] { return !calls_.empty(); });
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

ProcessEnd end_of(const ThreadJobs& jobs, std::size_t job, const CallInWaitingThread& call) {
  try {
    return {.code = jobs.body(job, call)};
  } catch (const std::exception& error) {
    return {.failure = explanation(error)};
  }
}

/// Whether on_start let the job begin; otherwise it has failed.
bool starts(const ThreadJobs& jobs, std::size_t job) {
  try {
    jobs.on_start(job);
    return true;
  } catch (const std::exception& error) {
    jobs.on_end(job, {.failure = explanation(error)});
    return false;
  }
}

}  // namespace

int run_in_threads(const ThreadJobs& jobs) {
  const InterruptGuard guard;
  Calls calls;
  std::vector<std::thread> threads;
  std::size_t next = 0;
  std::size_t running = 0;
  int signal = 0;
  const auto finish = [&](std::size_t job, const ProcessEnd& end) {
    if (end.code > 128 && signal == 0) signal = end.code - 128;
    jobs.on_end(job, end);
  };
  for (;;) {
    while (next < jobs.count && running < jobs.at_once && jobs.goes_on()) {
      if (signal == 0) signal = InterruptGuard::signal_received();
      if (signal != 0) break;
      const std::size_t job = next++;
      if (!starts(jobs, job)) continue;
      if (jobs.at_once == 1) {
        finish(job, end_of(jobs, job, [](const std::function<void()>& function) { function(); }));
        continue;
      }
      try {
        threads.emplace_back([&, job] {
          const ProcessEnd end = end_of(jobs, job, [&](const std::function<void()>& function) { calls.add(function).get(); });
          calls.add([&, job, end] {
            --running;
            finish(job, end);
          });
        });
        ++running;
      } catch (const std::system_error& error) {  // no further thread
        finish(job, {.failure = explanation(error)});
      }
    }
    if (running == 0) break;
    calls.make_next();
  }
  for (std::thread& thread : threads) thread.join();
  return signal;
}

}  // namespace paretofl
