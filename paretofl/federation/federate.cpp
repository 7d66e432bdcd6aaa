#include "paretofl/federation/federate.h"

#include <fmt/format.h>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/federation/host.h"
#include "paretofl/federation/host_processes.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/problem_split.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_start.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

// In the folder of the federation.
constexpr const char* kConfig = "config.toml";
constexpr const char* kParts = "parts";
constexpr const char* kAside = "parts.new";

/// A new folder for sockets, whose paths must be short; removed at the end.
class SocketFolder {
 public:
  SocketFolder() {
    std::string name = (fs::temp_directory_path() / "paretofl-XXXXXX").string();
    expect(::mkdtemp(name.data()) != nullptr, "federate: expected to make a folder like {}, found: {}", name, std::strerror(errno));
    path_ = name;
  }
  ~SocketFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  std::string of(std::string_view client) const { return (path_ / fmt::format("client-{}", client)).string(); }

 private:
  fs::path path_;
};

/// What a process does, with its failure as a line on stderr and an exit code.
int exit_code_of(const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& failure) {
    warn("{}", explanation(failure));
    return 1;
  }
}

/// Runs it in a process of its own, so that neither memory nor threads stay in this one; SIGTERM ends it where this one ends before.
/// Throws Error where it fails; it has said why.
void in_own_process(const char* what, const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  expect(child >= 0, "federate: expected a new process, found: {}", std::strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    const int code = exit_code_of(body);
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "federate: {} failed", what);
}

void expect_parties(int parties, int clients) {
  expect(parties >= 1 && parties <= clients, "federate: expected 1 to {} parties, found {}", clients, parties);
}

HostProcesses::Host party(const HostRequest& request, const fs::path& log) {
  return {log, [request](const std::function<void()>& on_ready) {
            return exit_code_of([&] {
              HostRequest own = request;
              own.on_ready = on_ready;
              host(own);
            });
          }};
}

/// The Python that has the package and Flower.
std::string python() {
  if (const char* named = std::getenv("PARETOFL_PYTHON"); named != nullptr && *named != '\0') return named;
  const fs::path beside = fs::read_symlink("/proc/self/exe").parent_path() / "flower" / "bin" / "python";
  return fs::exists(beside) ? beside.string() : "python3";
}

/// Runs the server in a Flower deployment on this machine.
void run_over_flower(const FederateRequest& request, const fs::path& config, int clients, const std::string& sockets) {
  std::vector<std::string> words{
      python(), "-m",        "paretofl.flower.deployment", "--dir",     request.directory.string(),      "--config",
      config,   "--clients", std::to_string(clients),      "--parties", std::to_string(request.parties), "--sockets",
      sockets};
  if (request.resume) words.emplace_back("--resume");
  if (request.overwrite) words.emplace_back("--overwrite");
  std::string plugins;
  for (const fs::path& file : loaded_plugins()) plugins += (plugins.empty() ? "" : ":") + file.string();
  in_own_process("the deployment over Flower", [&] {
    ::setenv("PARETOFL_PLUGINS", plugins.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    throw Error(fmt::format("federate: expected {} to start, found: {}", words[0], std::strerror(errno)));
  });
}

/// Splits the problem and writes the config of all parties, aside; then these replace what the folder holds of an earlier federation, so
/// that bad input leaves that whole.
void make_federation(const FederateRequest& request, const fs::path& folder) {
  Settings settings = load_config(request.config);
  apply_overrides(settings, request.overrides);
  name_loaded_plugins(settings);
  const ResolvedConfig resolved = resolve_config(settings);
  resolved.config.expect_honest_parties();
  const fs::path aside = folder / kAside;
  fs::remove_all(aside);
  try {
    in_own_process("the split", [&] { split_problem(resolved, aside, false); });
    expect_parties(request.parties, read_problem(part_folder(aside, std::nullopt)).clients);
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    throw;
  }
  settings.tables["data"].values["root"] = fs::absolute(part_folder(folder / kParts, std::nullopt)).string();
  const std::string config = to_toml(resolve_config(settings).resolved);
  std::vector<fs::path> earlier;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != FolderLock::kFile && entry.path().filename() != kAside) earlier.push_back(entry.path());
  }
  fs::remove(folder / kConfig);  // without it the rest can't be taken for a whole federation
  for (const fs::path& path : earlier) fs::remove_all(path);
  fs::rename(aside, folder / kParts);
  write_whole_file(folder / kConfig, config);
}

}  // namespace

RunOutcome federate(const FederateRequest& request) {
  const fs::path folder = request.directory / "federation";
  const fs::path parts = folder / kParts;
  const fs::path config = folder / kConfig;
  if (request.resume) {
    expect(fs::exists(config), "federate: expected a federation in {}, found none", request.directory.string());
  } else {
    expect(request.overwrite || (!fs::exists(config) && !fs::exists(request.directory / RunStart::kFile)),
           "federate: expected no federation in {}, found one; use --resume or --overwrite", request.directory.string());
  }
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);                         // the parties' data is below
  const FolderLock lock(folder, "federation", std::chrono::seconds(5));  // one that was killed may take a moment to go
  if (!request.resume) make_federation(request, folder);
  const int clients = read_problem(part_folder(parts, std::nullopt)).clients;
  expect_parties(request.parties, clients);

  const SocketFolder sockets;
  std::vector<HostProcesses::Host> hosts;
  for (int client = 0; client < clients; ++client) {
    const fs::path own = folder / fmt::format("client-{}", client);
    fs::create_directories(own);
    hosts.push_back(party({.config = config,
                           .overrides = {},
                           .client = client,
                           .data = part_folder(parts, client),
                           .socket = sockets.of(std::to_string(client)),
                           .state = own / "state"},
                          own / "log"));
  }
  const HostProcesses running(hosts);
  if (request.flower) {
    run_over_flower(request, config, clients, sockets.of("{client}"));
    RunOutcome outcome;
    outcome.directory = request.directory;
    return outcome;
  }
  std::vector<std::string> overrides{"runtime.name=sockets", "runtime.sockets=" + sockets.of("{client}")};
  if (request.resume) overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
  return run({.config = request.resume ? fs::path() : config,
              .directory = request.directory,
              .overrides = overrides,
              .overwrite = request.overwrite,
              .resume = request.resume});
}

}  // namespace paretofl
