#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

namespace paretofl {

/// Processes that stay as long as this object: each is forked and runs a function that returns its exit code. One that is killed by a
/// signal is started again, at most kRestarts times. They end when this process ends, however it does.
class HostProcesses {
 public:
  struct Host {
    std::filesystem::path log;                                       ///< where its stdout and stderr go
    std::function<int(const std::function<void()>& on_ready)> body;  ///< calls its argument when it is ready
  };

  static constexpr int kRestarts = 100;

  /// Returns once all are ready. Call it while no other thread runs. Throws Error where one ends before, with what it said last.
  explicit HostProcesses(const std::vector<Host>& hosts);
  /// Ends them, and waits for their end.
  ~HostProcesses();
  HostProcesses(const HostProcesses&) = delete;
  HostProcesses& operator=(const HostProcesses&) = delete;

 private:
  void wait_until_ready(const std::vector<Host>& hosts);
  void end();

  pid_t supervisor_ = -1;
  int news_ = -1;  ///< the end of a pipe where the processes tell of themselves
};

}  // namespace paretofl
