#include "paretofl/sweeps/process_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/runs/interrupt.h"

namespace paretofl {
namespace {

constexpr int kPollMilliseconds = 200;  // how late a signal may be noticed

struct Running {
  std::size_t job;
  pid_t process;
  int progress;  ///< the pipe's end to read from
};

[[noreturn]] void run_job(const ProcessJobs& jobs, std::size_t job, pid_t parent, int pipe) {
  // Out of the terminal's foreground group: Ctrl-C reaches the parent, which passes it on once.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  InterruptGuard::reset();
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const auto progress = [pipe](std::int64_t value) {
    while (::write(pipe, &value, sizeof value) < 0 && errno == EINTR) {
    }
  };
  const int code = jobs.body(job, progress);
  std::fflush(nullptr);
  ::_exit(code);
}

Running start(const ProcessJobs& jobs, std::size_t job) {
  std::array<int, 2> ends{};
  expect(::pipe2(ends.data(), O_CLOEXEC) == 0, "sweep: expected a pipe to a new process, found: {}", std::strerror(errno));
  std::fflush(nullptr);
  // No signal may arrive between fork and the child's own handlers.
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  const int failure = errno;
  if (child == 0) {
    ::close(ends[0]);
    run_job(jobs, job, parent, ends[1]);
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    throw Error(fmt::format("sweep: expected a new process, found: {}", std::strerror(failure)));
  }
  return {job, child, ends[0]};
}

JobEnd wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

/// Reads what a job has said; false once it has ended.
bool read_progress(const Running& running, const ProcessJobs& jobs) {
  std::array<std::int64_t, 64> values{};
  const ssize_t bytes = ::read(running.progress, values.data(), sizeof values);
  if (bytes < 0) return errno == EINTR;
  if (bytes == 0) return false;
  const std::size_t count = static_cast<std::size_t>(bytes) / sizeof values[0];
  if (count > 0) jobs.on_progress(running.job, values[count - 1]);
  return true;
}

void poll_all(std::vector<Running>& running, const ProcessJobs& jobs) {
  std::vector<pollfd> ends;
  for (const Running& one : running) ends.push_back({one.progress, POLLIN, 0});
  if (::poll(ends.data(), ends.size(), kPollMilliseconds) <= 0) return;
  for (std::size_t i = ends.size(); i-- > 0;) {
    if (ends[i].revents == 0 || read_progress(running[i], jobs)) continue;
    ::close(running[i].progress);
    const Running ended = running[i];
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    jobs.on_end(ended.job, wait_for(ended.process));
  }
}

}  // namespace

int run_in_processes(const ProcessJobs& jobs) {
  const InterruptGuard guard;
  std::vector<Running> running;
  std::size_t next = 0;
  int passed_on = 0;
  while (next < jobs.count || !running.empty()) {
    const int signal = InterruptGuard::signal_received();
    if (signal != 0 && passed_on == 0) {
      for (const Running& one : running) ::kill(one.process, signal);
      passed_on = signal;
    }
    if (passed_on != 0 && running.empty()) break;
    while (passed_on == 0 && next < jobs.count && running.size() < jobs.at_once) {
      const std::size_t job = next++;
      try {
        jobs.on_start(job);
        running.push_back(start(jobs, job));
      } catch (const std::exception& error) {
        jobs.on_end(job, {.failure = explanation(error)});
      }
    }
    poll_all(running, jobs);
  }
  return passed_on;
}

}  // namespace paretofl
