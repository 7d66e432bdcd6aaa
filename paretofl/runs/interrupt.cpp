#include "paretofl/runs/interrupt.h"

#include <pthread.h>
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

std::array<struct sigaction, InterruptGuard::kSignals.size()> before;
bool is_of_main_thread = true;  // whether the first of the guards is

/// Gives a signal back to who handled it before, and tells them of this one: the main thread waits for something else than the round.
bool passed_on(int signal) {
  if (is_of_main_thread) return false;
  for (std::size_t i = 0; i < InterruptGuard::kSignals.size(); ++i) {
    const struct sigaction& former = before[i];
    const bool takes_number_alone = (former.sa_flags & SA_SIGINFO) == 0 && former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN;
    if (InterruptGuard::kSignals[i] != signal || !takes_number_alone) continue;
    ::sigaction(signal, &former, nullptr);
    former.sa_handler(signal);
    return true;
  }
  return false;
}

void note(int signal) {
  received = signal;
  const std::string& words = signal == SIGTERM ? terminate_words : interrupt_words;
  if (signal != SIGHUP && !words.empty()) {
    // Nothing can be done about a failure, and nothing that depends on its errno may notice it.
    const int number = errno;
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    errno = number;
  }
  if (passed_on(signal)) return;
  // A terminal that goes away hangs up more than once: by the kernel and by the shell.
  if (signal != SIGHUP) std::signal(signal, SIG_DFL);
}

unsigned forks = 0;  // between the first process and this one, while guards lived

void give_back_handlers() {
  for (std::size_t i = 0; i < InterruptGuard::kSignals.size(); ++i) ::sigaction(InterruptGuard::kSignals[i], &before[i], nullptr);
}

// A forked process runs no round that it could finish, so a signal must do there what it did before the guards.
void lock_before_fork() { counting.lock(); }
void unlock_in_parent() { counting.unlock(); }
void forget_in_child() {
  if (guards > 0) {
    give_back_handlers();
    guards = 0;
    received = 0;
    ++forks;
  }
  counting.unlock();
}

}  // namespace

InterruptGuard::InterruptGuard(std::string at_end, std::string at_interrupt) {
  [[maybe_unused]] static const int kRegistered = ::pthread_atfork(lock_before_fork, unlock_in_parent, forget_in_child);
  const std::lock_guard lock(counting);
  forks_ = forks;
  if (guards++ > 0) return;
  received = 0;
  is_of_main_thread = ::gettid() == ::getpid();
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
  if (forks_ != forks || --guards > 0) return;
  give_back_handlers();
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
