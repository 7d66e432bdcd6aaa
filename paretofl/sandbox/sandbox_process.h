#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/sandbox/descriptor.h"

namespace paretofl {

/// What a sandboxed process reads.
struct SandboxFiles {
  Descriptor input;
  Descriptor program;
  Descriptor filter;
};

/// One started sandbox: bubblewrap, which is a child of ours, and its child the interpreter, the first process of the
/// namespaces, with whose end every other process in them has ended. Destruction kills what still runs, and leaves no zombie.
class SandboxProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts a command of sandbox_command(). Throws Error if the system refuses.
  SandboxProcess(const std::vector<std::string>& command, SandboxFiles files);
  ~SandboxProcess();
  SandboxProcess(const SandboxProcess&) = delete;
  SandboxProcess& operator=(const SandboxProcess&) = delete;

  /// Waits until bubblewrap has made the namespaces, and lets the program begin. Throws Error, with what bubblewrap says,
  /// where it cannot make them.
  void begin();
  /// Collects output until all processes in the sandbox have ended, killing them at the deadline or where the output
  /// grows beyond `most` bytes. Called once, after begin(). Throws Error if the program could not be started.
  void finish(Clock::time_point deadline, std::size_t most);

  bool out_of_time() const { return out_of_time_; }
  bool output_too_long() const { return output_too_long_; }
  const std::string& output() const { return output_; }
  /// The program's, or 128 and the signal that ended it.
  int exit_code() const { return exit_code_; }
  /// Computing time of the program and of those of its processes that it waited for.
  double cpu_seconds() const { return cpu_seconds_; }

 private:
  void kill_all() const;
  int wait_for_bubblewrap();
  std::string message();

  pid_t bubblewrap_ = -1;
  Descriptor first_;  ///< of the namespace
  Descriptor output_end_;
  Descriptor status_end_;
  Descriptor block_end_;
  std::string output_;
  std::string status_;
  int exit_code_ = 0;
  double cpu_seconds_ = 0;
  bool out_of_time_ = false;
  bool output_too_long_ = false;
};

/// The last line of what a program printed, as an Error shows it.
std::string last_line(std::string_view text);

}  // namespace paretofl
