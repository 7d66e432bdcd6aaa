#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace paretofl {

/// Has this process and its children end by signals, as programs that a terminal starts do; under nohup, and in the background of a script,
/// some are ignored.
inline void heed_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
}

/// Waits for the end of `child`, for `limit` at most: whether it has ended, with its wait status in `status`. Takes no processor time
/// meanwhile, so that a test which watches what a child writes does not slow it down.
inline bool ends_within(std::chrono::milliseconds limit, pid_t child, int& status) {
  pollfd end = {.fd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), .events = POLLIN, .revents = 0};
  ::poll(&end, 1, static_cast<int>(limit.count()));
  if (end.fd >= 0) ::close(end.fd);
  return ::waitpid(child, &status, WNOHANG) == child;
}

/// Waits until `done()`, looked at once a millisecond: whether it came before the end of `child`, whose wait status is in `status` then.
template <class Condition>
bool reached_before_the_end_of(pid_t child, int& status, const Condition& done) {
  while (!done()) {
    if (ends_within(std::chrono::milliseconds(1), child, status)) return false;
  }
  return true;
}

}  // namespace paretofl
