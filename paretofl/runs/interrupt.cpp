#include "paretofl/runs/interrupt.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

namespace paretofl {
namespace {

std::atomic<int> received = 0;  // threads read it
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");
int guards = 0;
std::mutex counting;

std::string terminate_words, interrupt_words;

void note(int signal) {
  received = signal;
  const std::string& words = signal == SIGTERM ? terminate_words : interrupt_words;
  if (signal != SIGHUP && !words.empty()) {
    // Nothing can be done about a failure, and nothing that depends on its errno may notice it.
    const int number = errno;
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    errno = number;
  }
  // A terminal that goes away hangs up more than once: by the kernel and by the shell.
  if (signal != SIGHUP) std::signal(signal, SIG_DFL);
}

std::array<struct sigaction, InterruptGuard::kSignals.size()> before;

}  // namespace

InterruptGuard::InterruptGuard(std::string at_end, std::string at_interrupt) {
  const std::lock_guard lock(counting);
  if (guards++ > 0) return;
  received = 0;
  terminate_words = std::move(at_end);
  interrupt_words = std::move(at_interrupt);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    const bool ignored = before[i].sa_handler == SIG_IGN;
    if (kSignals[i] != SIGHUP || !ignored) std::signal(kSignals[i], note);
  }
}

InterruptGuard::~InterruptGuard() {
  const std::lock_guard lock(counting);
  if (--guards > 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
}

void InterruptGuard::reset() {
  guards = 0;
  for (const int signal : kSignals) {
    struct sigaction now {};
    ::sigaction(signal, nullptr, &now);
    if (signal != SIGHUP || now.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
  }
}

int InterruptGuard::signal_received() { return received; }

}  // namespace paretofl
