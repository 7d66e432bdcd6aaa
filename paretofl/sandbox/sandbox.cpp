#include "paretofl/sandbox/sandbox.h"

#include <algorithm>
#include <csignal>

#include "paretofl/core/error.h"
#include "paretofl/sandbox/sandbox_command.h"
#include "paretofl/sandbox/sandbox_process.h"
#include "paretofl/sandbox/sealed_file.h"
#include "paretofl/sandbox/syscall_filter.h"

namespace paretofl {
namespace {

SandboxEnd end_of(int code) {
  if (code == 0) return SandboxEnd::kPassed;
  if (code == kOutOfMemoryCode) return SandboxEnd::kOutOfMemory;
  return code > kSignalled ? SandboxEnd::kKilled : SandboxEnd::kFailed;
}

}  // namespace

Sandbox::Sandbox(SandboxOptions options) : options_(std::move(options)), command_(sandbox_command(options_)), filter_(syscall_filter()) {
  const SandboxResult result = run("import os\nif os.fork(): os.wait(), print('ready')");
  expect(result.output == "ready\n", "sandbox: expected {} to run a program within the limits, found: {}", options_.python,
         last_line(result.output));
}

SandboxResult Sandbox::run(std::string_view program, std::string_view input) const {
  SandboxProcess process(command_, {sealed_file(input), sealed_file(program), sealed_file(filter_)});
  process.begin();
  process.finish(SandboxProcess::Clock::now() + std::chrono::seconds(options_.wall_seconds), static_cast<std::size_t>(options_.output_kb)
                                                                                                 << 10);
  SandboxEnd end = end_of(process.exit_code());
  // The kernel kills by whole ticks of its clock and reports what really ran, which is less where processes change often.
  const bool cpu_spent =
      process.exit_code() == kSignalled + SIGKILL && process.cpu_seconds() > 0.5 * static_cast<double>(options_.cpu_seconds);
  if (process.out_of_time() || cpu_spent) end = SandboxEnd::kOutOfTime;
  if (process.output_too_long()) end = SandboxEnd::kOutputTooLong;
  return {end, end == SandboxEnd::kFailed ? process.exit_code() : 0, process.output()};
}

}  // namespace paretofl
