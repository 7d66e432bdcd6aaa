#include "paretofl/core/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"

namespace paretofl {
namespace {

void expect_written(bool written) {
  expect(written, "standard output: expected to write all of the output, found: {}", std::strerror(errno));
}

}  // namespace

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one, as those below it are open.
    if (::open("/dev/null", O_RDWR) < 0) break;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void write_output_bytes(std::string_view bytes) { expect_written(std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()); }

void finish_output() { expect_written(std::fflush(stdout) == 0 && std::ferror(stdout) == 0); }

void write_output_path(const std::filesystem::path& path) {
  write_output("{}\n", ::isatty(STDOUT_FILENO) == 1 ? printable(path.string()) : path.string());
}

void write_message(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void warn_text(std::string_view text) noexcept {
  try {
    constexpr std::size_t kMost = 1000;  // of what a message cites from a file there may be megabytes
    std::string line = printable(text.substr(0, kMost));
    if (text.size() > kMost) line += " ..";
    write_message("paretofl: " + line + '\n');
  } catch (...) {
    write_message("paretofl: memory: expected enough for a message, found none left\n");
  }
}

}  // namespace paretofl
