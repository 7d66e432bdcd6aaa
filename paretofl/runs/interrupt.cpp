#include "paretofl/runs/interrupt.h"

#include <array>
#include <csignal>

namespace paretofl {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;

void note(int signal) {
  received = signal;
  // A terminal that goes away hangs up more than once: by the kernel and by the shell.
  if (signal != SIGHUP) std::signal(signal, SIG_DFL);
}

/// Sets the handler, except where hanging up is ignored, as nohup asks for.
void handle(int signal, void (*handler)(int)) {
  const auto before = std::signal(signal, handler);
  if (signal == SIGHUP && before == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  for (const int signal : kSignals) handle(signal, note);
}

InterruptGuard::~InterruptGuard() { reset(); }

void InterruptGuard::reset() {
  for (const int signal : kSignals) handle(signal, SIG_DFL);
}

int InterruptGuard::signal_received() { return received; }

}  // namespace paretofl
