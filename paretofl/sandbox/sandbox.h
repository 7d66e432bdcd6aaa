#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/sandbox/sandbox_options.h"

namespace paretofl {

/// How a program ended.
enum class SandboxEnd : std::uint8_t {
  kPassed,         ///< exit code 0
  kFailed,         ///< another exit code
  kOutOfTime,      ///< of either time
  kOutOfMemory,    ///< an allocation was refused, and the program let it pass
  kOutputTooLong,  ///< it printed more than it may
  kKilled          ///< by a signal: a crash, or the system's
};

struct SandboxResult {
  SandboxEnd end = SandboxEnd::kKilled;
  int exit_code = 0;   ///< where it failed
  std::string output;  ///< standard output and error as they came, at most output_kb
};

/// Runs untrusted Python programs, each in a sandbox of its own that bubblewrap makes of namespaces: no network but a
/// loopback device of its own, no processes but its own, no files but the interpreter's (/usr, read-only) and a scratch folder
/// in memory, no environment, no privileges, calls that syscall_filter() allows. When run() returns, by an Error too, every
/// process of the program has ended and nothing of it is left. Safe to share between threads. The program's parent is the
/// calling thread; a killed parent takes it along.
class Sandbox {
 public:
  /// Runs a program that does nothing but start a process. Throws Error, saying what is missing, unless it passes: there is no running
  /// without isolation.
  explicit Sandbox(SandboxOptions options);

  /// Runs a program, UTF-8 or as its coding comment says, as __main__, with `input` as standard input. The scratch folder
  /// /tmp is its working directory; the site module, and so anything but the standard library, is left out; hashes have
  /// a fixed seed. Throws Error if the sandbox cannot be made.
  SandboxResult run(std::string_view program, std::string_view input = {}) const;

 private:
  SandboxOptions options_;
  std::vector<std::string> command_;
  std::string filter_;
};

}  // namespace paretofl
