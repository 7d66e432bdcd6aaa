#include "paretofl/sandbox/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/sandbox/descriptor.h"

namespace paretofl {
namespace {

struct Actions {
  Actions() { ::posix_spawn_file_actions_init(&value); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&value); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  posix_spawn_file_actions_t value{};
};

struct Attributes {
  Attributes() {
    ::posix_spawnattr_init(&value);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&value, &none);
    ::posix_spawnattr_setsigdefault(&value, &all);
    ::posix_spawnattr_setpgroup(&value, 0);
    ::posix_spawnattr_setflags(&value, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Attributes() { ::posix_spawnattr_destroy(&value); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  posix_spawnattr_t value{};
};

}  // namespace

pid_t spawn(const std::vector<std::string>& command, std::initializer_list<int> descriptors) {
  Actions actions;
  std::vector<Descriptor> sources;  // above all targets, so that none is overwritten before its turn
  const int count = static_cast<int>(descriptors.size());
  for (const int descriptor : descriptors) {
    const Descriptor& source = sources.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, count));
    expect(source.open(), "sandbox: expected a free descriptor, found: {}", std::strerror(errno));
    ::posix_spawn_file_actions_adddup2(&actions.value, source.number(), static_cast<int>(sources.size()) - 1);
  }
  ::posix_spawn_file_actions_addclosefrom_np(&actions.value, count);
  const Attributes attributes;
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t process = -1;
  const int failure = ::posix_spawnp(&process, words[0], &actions.value, &attributes.value, words.data(), environ);
  expect(failure == 0, "sandbox: expected the program {}, found: {}", command[0], std::strerror(failure));
  return process;
}

}  // namespace paretofl
