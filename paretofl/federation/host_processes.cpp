#include "paretofl/federation/host_processes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/runs/interrupt.h"

namespace paretofl {
namespace {

/// What a process tells of itself, or the supervisor of it.
struct News {
  std::size_t host;
  bool ready;  ///< otherwise it has ended for good
};

using Host = HostProcesses::Host;

/// Dies with its parent, keeps out of the terminal's foreground group, so that Ctrl-C does not reach it, and handles signals by default.
void become_child(pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  InterruptGuard::reset();
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void tell(int news, News what) {
  while (::write(news, &what, sizeof what) < 0 && errno == EINTR) {
  }
}

pid_t start(const std::vector<Host>& hosts, std::size_t index, int news) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  become_child(parent);
  const int log = ::open(hosts[index].log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0 || ::dup2(log, STDOUT_FILENO) < 0 || ::dup2(log, STDERR_FILENO) < 0) ::_exit(1);
  ::close(log);
  const int code = hosts[index].body([&] { tell(news, {index, true}); });
  std::fflush(nullptr);
  ::_exit(code);
}

/// Keeps the processes going until SIGTERM comes.
[[noreturn]] void supervise(const std::vector<Host>& hosts, int news) {
  sigset_t watched;
  ::sigemptyset(&watched);
  ::sigaddset(&watched, SIGTERM);
  ::sigaddset(&watched, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &watched, nullptr);
  std::map<pid_t, std::size_t> running;
  std::vector<int> starts(hosts.size());
  const auto launch = [&](std::size_t host) {
    ++starts[host];
    const pid_t child = start(hosts, host, news);
    if (child < 0) return tell(news, {host, false});
    running.emplace(child, host);
  };
  for (std::size_t host = 0; host < hosts.size(); ++host) launch(host);
  for (int signal = 0; ::sigwait(&watched, &signal) == 0 && signal != SIGTERM;) {
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto found = running.extract(ended);
      if (found.empty()) continue;
      if (WIFSIGNALED(status) && starts[found.mapped()] <= HostProcesses::kRestarts) {
        launch(found.mapped());
      } else {
        tell(news, {found.mapped(), false});
      }
    }
  }
  for (const auto& [child, host] : running) ::kill(child, SIGTERM);
  while (::wait(nullptr) > 0 || errno == EINTR) {
  }
  ::_exit(0);
}

std::string last_line(const std::filesystem::path& log) {
  std::string text = std::filesystem::exists(log) ? read_file(log) : "";
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

HostProcesses::HostProcesses(const std::vector<Host>& hosts) {
  std::array<int, 2> ends{};
  expect(::pipe2(ends.data(), O_CLOEXEC) == 0, "federate: expected a pipe to new processes, found: {}", std::strerror(errno));
  news_ = ends[0];
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  supervisor_ = ::fork();
  if (supervisor_ == 0) {
    ::close(ends[0]);
    become_child(parent);
    supervise(hosts, ends[1]);
  }
  ::close(ends[1]);
  try {
    expect(supervisor_ > 0, "federate: expected a new process, found: {}", std::strerror(errno));
    wait_until_ready(hosts);
  } catch (...) {
    end();
    throw;
  }
}

void HostProcesses::wait_until_ready(const std::vector<Host>& hosts) {
  const InterruptGuard guard;
  for (std::set<std::size_t> ready; ready.size() < hosts.size();) {
    // A read would go on after a signal, and one may come just before it.
    constexpr int kMilliseconds = 200;
    pollfd waiting{.fd = news_, .events = POLLIN, .revents = 0};
    const int found = ::poll(&waiting, 1, kMilliseconds);
    expect(InterruptGuard::signal_received() == 0, "federate: expected the parties to start, found a signal to stop");
    if (found <= 0) continue;
    News news{};
    const ssize_t size = ::read(news_, &news, sizeof news);
    expect(size == sizeof news, "federate: expected news of the parties' processes, found none");
    expect(news.ready, "client {}: expected its process to start, found: {}", news.host, last_line(hosts[news.host].log));
    ready.insert(news.host);
  }
}

void HostProcesses::end() {
  if (supervisor_ > 0) {
    ::kill(supervisor_, SIGTERM);
    while (::waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (news_ >= 0) ::close(news_);
}

HostProcesses::~HostProcesses() { end(); }

}  // namespace paretofl
