#include "paretofl/sandbox/sandbox_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Soft and hard limits at once: the first process of a namespace ignores the signal of a soft one. Where the caller died
// before bubblewrap tied this process to it, nobody else ends it.
constexpr const char* kPrologue = R"PY(
def prepared():
    import os, resource, sys
    sys.path = [folder for folder in sys.path if folder]
    cpu, memory, size, descriptors, processes = map(int, sys.argv[1:])
    del sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.close({reader})
    os.set_blocking({caller}, False)
    try:
        os.read({caller}, 1)
        os._exit(1)
    except BlockingIOError:
        os.close({caller})
    with os.fdopen({program}, "rb") as file:
        return compile(file.read(), "program", "exec")
try:
    exec(prepared(), globals())
except MemoryError:
    __import__("os")._exit({out_of_memory})
)PY";

constexpr const char* kNobody = "65534";

std::filesystem::path interpreter(const std::string& python) {
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::canonical(python, failure);
  expect(!failure && std::filesystem::is_regular_file(path, failure), "sandbox: expected a Python interpreter, found none at {}", python);
  return path;
}

/// The folder of an installation outside of /usr.
std::filesystem::path prefix_of(const std::filesystem::path& python) {
  const std::filesystem::path folder = python.parent_path();
  expect(folder.filename() == "bin" && folder.parent_path().has_relative_path(),
         "sandbox: expected the interpreter below /usr or as PREFIX/bin/NAME, so that only its libraries are seen, found {}",
         python.string());
  return folder.parent_path();
}

}  // namespace

std::vector<std::string> sandbox_command(const SandboxOptions& options) {
  const std::filesystem::path python = interpreter(options.python);
  std::vector<std::string> command;
  const auto add = [&command](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  if (::geteuid() == 0) {
    add({"setpriv", std::string("--reuid=") + kNobody, std::string("--regid=") + kNobody, "--clear-groups", "--inh-caps=-all"});
  }
  add({"bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"});
  add({"--uid", kNobody, "--gid", kNobody, "--hostname", "sandbox", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop",
       "ALL"});
  add({"--clearenv", "--setenv", "PYTHONHASHSEED", "0"});
  add({"--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"});
  if (*std::next(python.begin()) != "usr") {
    add({"--ro-bind", python.string(), python.string()});
    for (const char* folder : {"lib", "lib64"}) {
      const std::string libraries = (prefix_of(python) / folder).string();
      add({"--ro-bind-try", libraries, libraries});
    }
  }
  const std::int64_t scratch = options.scratch_mb << 20;
  add({"--dev-bind", "/dev/null", "/dev/null", "--size", std::to_string(scratch), "--tmpfs", "/tmp", "--remount-ro", "/"});
  add({"--chdir", "/tmp", "--seccomp", std::to_string(kFilterDescriptor), "--json-status-fd", std::to_string(kStatusDescriptor)});
  add({"--block-fd", std::to_string(kBlockDescriptor), "--", python.string(), "-s", "-S", "-B", "-c"});
  add({fmt::format(fmt::runtime(kPrologue), fmt::arg("program", kProgramDescriptor), fmt::arg("caller", kCallerDescriptor),
                   fmt::arg("reader", kReaderDescriptor), fmt::arg("out_of_memory", kOutOfMemoryCode))});
  add({std::to_string(options.cpu_seconds), std::to_string(options.memory_mb << 20), std::to_string(scratch),
       std::to_string(options.descriptors), std::to_string(options.processes)});
  return command;
}

}  // namespace paretofl
