#include "paretofl/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/sandbox/descriptor.h"
#include "paretofl/sandbox/sandbox_command.h"
#include "tests/sandbox/hostile_programs.h"
#include "tests/sandbox/needs_sandbox.h"
#include "tests/sandbox/traces.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

SandboxOptions short_runs() { return {.wall_seconds = 3, .cpu_seconds = 1, .memory_mb = 200, .processes = 4}; }

bool no_children() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

TEST(Sandbox, RunsAProgramWithItsInput) {
  PARETOFL_NEEDS_SANDBOX();
  const Sandbox sandbox({});
  const SandboxResult result =
      sandbox.run("import sys, os\nopen('note', 'w').write('x')\nprint(sys.stdin.read(), __name__, os.listdir())", "1 \xe4\xbd\xa0");
  EXPECT_EQ(result.end, SandboxEnd::kPassed) << result.output;
  EXPECT_EQ(result.output, "1 \xe4\xbd\xa0 __main__ ['note']\n");
}

TEST(Sandbox, SaysHowAProgramEnded) {
  PARETOFL_NEEDS_SANDBOX();
  const Sandbox sandbox({.wall_seconds = 60, .cpu_seconds = 1, .memory_mb = 200});
  EXPECT_EQ(sandbox.run("").end, SandboxEnd::kPassed);
  EXPECT_EQ(sandbox.run("import sys; sys.exit(7)").exit_code, 7);
  const SandboxResult failed = sandbox.run("raise ValueError('why')");
  EXPECT_EQ(failed.end, SandboxEnd::kFailed);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.output, HasSubstr("ValueError: why"));
  EXPECT_EQ(sandbox.run("while True: pass").end, SandboxEnd::kOutOfTime);
  EXPECT_EQ(sandbox.run("import os\nif os.fork():\n  while True: os.wait()\nwhile True: pass").end, SandboxEnd::kFailed) << "the child's";
  EXPECT_EQ(Sandbox(short_runs()).run("import time; time.sleep(60)").end, SandboxEnd::kOutOfTime);
  EXPECT_EQ(sandbox.run("x = bytearray(1 << 30)").end, SandboxEnd::kOutOfMemory);
  const SandboxResult long_one = sandbox.run("print('x' * (1 << 20))");
  EXPECT_EQ(long_one.end, SandboxEnd::kOutputTooLong);
  EXPECT_EQ(long_one.output, std::string(64 << 10, 'x'));
  EXPECT_EQ(sandbox.run("import os; os.abort()").end, SandboxEnd::kKilled);
  EXPECT_EQ(sandbox.run("print('x' * 65535)").end, SandboxEnd::kPassed) << "just as much as it may";
}

TEST(Sandbox, ProgramsSeeTheSameEveryTime) {
  PARETOFL_NEEDS_SANDBOX();
  const Sandbox sandbox({});
  const std::string program = "print({str(i) for i in range(50)})";
  EXPECT_EQ(sandbox.run(program).output, sandbox.run(program).output);
}

/// Somebody who listens for connections and datagrams on a port of 127.0.0.1.
class Listener {
 public:
  Listener()
      : stream_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
        packets_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* general = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(stream_.number(), general, size), 0);
    EXPECT_EQ(::listen(stream_.number(), 8), 0);
    EXPECT_EQ(::getsockname(stream_.number(), general, &size), 0);
    EXPECT_EQ(::bind(packets_.number(), general, size), 0);
    port_ = ::ntohs(address.sin_port);
  }
  int port() const { return port_; }
  bool heard_nothing() const {
    char byte = 0;
    return ::accept(stream_.number(), nullptr, nullptr) < 0 && ::recv(packets_.number(), &byte, 1, 0) < 0;
  }

 private:
  Descriptor stream_;
  Descriptor packets_;
  int port_ = 0;
};

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size()) text.replace(at, word.size(), by);
  return text;
}

TEST(Sandbox, HoldsHostilePrograms) {
  PARETOFL_NEEDS_SANDBOX();
  SandboxOptions options = short_runs();
  options.memory_mb = 201;
  const Sandbox sandbox(options);
  const std::filesystem::path secret = std::filesystem::path("/var/tmp") / ("sandbox_secret" + std::to_string(::getpid()));
  std::ofstream(secret) << "the secret";
  ::setenv("SECRET", "the secret", 1);
  const Listener listener;
  const auto descriptors = names_in("/proc/self/fd");

  std::vector<HostileProgram> programs = hostile_programs();
  std::vector<SandboxResult> results(programs.size());
  ThreadPool pool(4);
  pool.for_each(programs.size(), [&](std::size_t i) {
    const std::string text = replaced(replaced(programs[i].text, "@SECRET@", secret), "@PORT@", std::to_string(listener.port()));
    results[i] = sandbox.run(replaced(text, "@PID@", std::to_string(::getpid())));
  });
  for (std::size_t i = 0; i < programs.size(); ++i) {
    EXPECT_THAT(results[i].output, AllOf(Not(HasSubstr("ESCAPED\n")), Not(HasSubstr("the secret")))) << programs[i].name;
  }
  EXPECT_EQ(processes_with(std::to_string(options.memory_mb << 20)), 0);
  EXPECT_TRUE(no_children());
  EXPECT_EQ(names_in("/proc/self/fd"), descriptors);
  EXPECT_TRUE(listener.heard_nothing());
  std::string content;
  std::getline(std::ifstream(secret) >> std::ws, content);
  EXPECT_EQ(content, "the secret");
  std::filesystem::remove(secret);
  ::unsetenv("SECRET");
}

TEST(Sandbox, ManyRunsLeaveNothing) {
  PARETOFL_NEEDS_SANDBOX();
  SandboxOptions options;
  options.memory_mb = 202;
  const Sandbox sandbox(options);
  const auto descriptors = names_in("/proc/self/fd");
  const std::string child = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n";
  ThreadPool pool(4);
  pool.for_each(60, [&](std::size_t i) {
    EXPECT_EQ(sandbox.run(child + (i % 2 == 0 ? "" : "while True: print('x' * 10000)")).end,
              i % 2 == 0 ? SandboxEnd::kPassed : SandboxEnd::kOutputTooLong);
  });
  EXPECT_EQ(processes_with(std::to_string(options.memory_mb << 20)), 0);
  EXPECT_TRUE(no_children());
  EXPECT_EQ(names_in("/proc/self/fd"), descriptors);
}

TEST(Sandbox, EndsWithItsProcess) {
  PARETOFL_NEEDS_SANDBOX();
  const SandboxOptions options{.wall_seconds = 3600, .memory_mb = 203};
  const std::string word = std::to_string(options.memory_mb << 20);
  const pid_t runner = ::fork();
  if (runner == 0) {
    Sandbox(options).run("import ctypes, time\nctypes.CDLL(None).prctl(1, 0)\ntime.sleep(3600)");
    ::_exit(0);
  }
  while (processes_with(word, "/usr/bin/python") == 0) {
  }
  ::kill(runner, SIGKILL);
  ::waitpid(runner, nullptr, 0);
  while (processes_with(word) > 0) {
  }
}

TEST(Sandbox, ShowsOfAnInterpretersFolderTheLibrariesAlone) {
  const std::string prefix = std::filesystem::canonical(testing::TempDir()) / "python_prefix";
  const std::string python = prefix + "/bin/python3";
  std::filesystem::create_directories(prefix + "/bin");
  std::filesystem::copy_file("/usr/bin/python3", python, std::filesystem::copy_options::overwrite_existing);
  std::set<std::string> shown;
  const std::vector<std::string> words = sandbox_command({.python = python});
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].starts_with("--ro-bind")) shown.insert(words[i + 1]);
  }
  EXPECT_THAT(shown, testing::UnorderedElementsAre(python, prefix + "/lib", prefix + "/lib64", "/usr"));
}

TEST(Sandbox, RefusesWhatItCannotIsolate) {
  PARETOFL_NEEDS_SANDBOX();
  EXPECT_THAT([] { Sandbox({.python = "/no/python"}); },
              ThrowsMessage<Error>("sandbox: expected a Python interpreter, found none at /no/python"));
  EXPECT_THAT([] { Sandbox({.python = "/usr/bin/cat"}); },
              ThrowsMessage<Error>(HasSubstr("sandbox: expected /usr/bin/cat to run a program")));
  const std::filesystem::path outside = testing::TempDir() + "python_outside";
  std::filesystem::copy_file("/usr/bin/python3", outside, std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT([&] { Sandbox({.python = outside.string()}); },
              ThrowsMessage<Error>(HasSubstr("expected the interpreter below /usr or as PREFIX/bin/NAME")));
  EXPECT_THAT([] { Sandbox({.memory_mb = 1}); }, ThrowsMessage<Error>(HasSubstr("to run a program within the limits")));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/no/folder", 1);
  EXPECT_THAT([] { Sandbox({}); }, ThrowsMessage<Error>(AllOf(HasSubstr("sandbox: expected the program "), HasSubstr("No such file"))));
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(no_children());
}

}  // namespace
}  // namespace paretofl
