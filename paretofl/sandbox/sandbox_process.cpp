#include "paretofl/sandbox/sandbox_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/sandbox/sandbox_command.h"
#include "paretofl/sandbox/spawn.h"

namespace paretofl {
namespace {

using Clock = SandboxProcess::Clock;

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe new_pipe() {
  std::array<int, 2> ends{};
  expect(::pipe2(ends.data(), O_CLOEXEC) == 0, "sandbox: expected a pipe, found: {}", std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Waits until one of two descriptors (one below 0 doesn't count) can be read, or `milliseconds` (below 0: for ever).
std::array<bool, 2> wait_for(int one, int other, int milliseconds) {
  std::array<pollfd, 2> waited{{{one, POLLIN, 0}, {other, POLLIN, 0}}};
  const int count = ::poll(waited.data(), waited.size(), milliseconds);
  expect(count >= 0 || errno == EINTR, "sandbox: expected to wait for a program, found: {}", std::strerror(errno));
  return {count > 0 && waited[0].revents != 0, count > 0 && waited[1].revents != 0};
}

/// Appends what can be read at once; false at the end.
bool read_some(const Descriptor& from, std::string& text) {
  std::array<char, 1U << 16> bytes;
  const ssize_t count = ::read(from.number(), bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR;
  text.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0;
}

/// The integer behind `"key": ` in what bubblewrap says.
std::optional<int> status_number(std::string_view status, std::string_view key) {
  const std::size_t found = status.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  status.remove_prefix(std::min(status.find_first_of("0123456789", found + key.size()), status.size()));
  int number = 0;
  const auto [end, failure] = std::from_chars(status.data(), status.data() + status.size(), number);
  if (failure != std::errc() || end == status.data() + status.size()) return std::nullopt;
  return number;
}

}  // namespace

SandboxProcess::SandboxProcess(const std::vector<std::string>& command, SandboxFiles files) {
  Pipe output = new_pipe();
  Pipe status = new_pipe();
  Pipe block = new_pipe();
  output_end_ = std::move(output.read);
  status_end_ = std::move(status.read);
  block_end_ = std::move(block.write);
  static_assert(kProgramDescriptor == 3 && kFilterDescriptor == 4 && kStatusDescriptor == 5 && kBlockDescriptor == 6);
  static_assert(kCallerDescriptor == 7 && kReaderDescriptor == 8);
  bubblewrap_ =
      spawn(command, {files.input.number(), output.write.number(), output.write.number(), files.program.number(), files.filter.number(),
                      status.write.number(), block.read.number(), block.read.number(), status_end_.number()});
}

SandboxProcess::~SandboxProcess() {
  if (bubblewrap_ < 0) return;
  kill_all();
  wait_for_bubblewrap();
}

void SandboxProcess::begin() {
  std::optional<int> first;
  while (!(first = status_number(status_, "\"child-pid\""))) {
    if (!read_some(status_end_, status_)) throw Error("sandbox: expected bubblewrap to isolate a program, found: " + message());
  }
  // It waits for a byte, so its number is still its own.
  first_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, *first, 0)));
  expect(first_.open(), "sandbox: expected a process to wait for, found: {}", std::strerror(errno));
  const char byte = 0;
  expect(::write(block_end_.number(), &byte, 1) == 1, "sandbox: expected a process that waits, found: {}", std::strerror(errno));
}

void SandboxProcess::finish(Clock::time_point deadline, std::size_t most) {
  bool more = true;
  const auto take_output = [&] {
    more = read_some(output_end_, output_);
    if (output_.size() <= most) return;
    more = false;
    output_too_long_ = true;
    output_.resize(most);
    kill_all();
  };
  for (bool ended = false; !ended;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    const bool late = left <= 0;
    if (late && !out_of_time_) kill_all();
    out_of_time_ = late;
    const auto [output, first] = wait_for(more ? output_end_.number() : -1, first_.number(), late ? -1 : static_cast<int>(left));
    if (output) take_output();
    ended = first;
  }
  const int status = wait_for_bubblewrap();
  while (more) take_output();
  while (read_some(status_end_, status_)) {
  }
  const auto code = status_number(status_, "\"exit-code\"");
  exit_code_ = code.value_or(kSignalled + SIGKILL);
  const bool started = code || WEXITSTATUS(status) == exit_code_ || out_of_time_ || output_too_long_;
  if (!started) throw Error("sandbox: expected the interpreter to start, found: " + message());
}

void SandboxProcess::kill_all() const {
  if (first_.open()) {
    ::syscall(SYS_pidfd_send_signal, first_.number(), SIGKILL, nullptr, 0);
  } else {
    ::kill(bubblewrap_, SIGKILL);
  }
}

int SandboxProcess::wait_for_bubblewrap() {
  int status = 0;
  rusage used{};
  while (::wait4(bubblewrap_, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  cpu_seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
  bubblewrap_ = -1;
  return status;
}

std::string SandboxProcess::message() {
  while (read_some(output_end_, output_)) {
  }
  return last_line(output_);
}

std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of('\n') + 1;
  const std::size_t begin = text.substr(0, end).rfind('\n') + 1;
  std::string line(text.substr(begin, end - begin));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line.empty() ? "no message" : line;
}

}  // namespace paretofl
