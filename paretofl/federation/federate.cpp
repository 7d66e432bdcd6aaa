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
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/federation/federation_folder.h"
#include "paretofl/federation/host.h"
#include "paretofl/federation/host_processes.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/registry/plugins.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/interrupt.h"
#include "paretofl/runs/problem_split.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runs/run_directory.h"
#include "paretofl/runs/run_start.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

/// A new folder for sockets, whose paths must be short; removed at the end.
class SocketFolder {
 public:
  SocketFolder() {
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    expect(!error, "federate: expected a folder for temporary files, which TMPDIR names, found: {}", error.message());
    std::string name = (temporary / "paretofl-XXXXXX").string();
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

/// Starts a process that does this; SIGTERM ends it where this one ends before.
pid_t start_process(const std::function<void()>& body) {
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
  return child;
}

/// Runs it in a process of its own, so that neither memory nor threads stay in this one. Throws Error where it fails; it has said why.
void in_own_process(const char* what, const std::function<void()>& body) {
  const pid_t child = start_process(body);
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

constexpr const char* kAnyPython = "python3";

/// The Python that has the package and Flower.
std::string python() {
  if (const char* named = std::getenv("PARETOFL_PYTHON"); named != nullptr && *named != '\0') return named;
  const fs::path beside = fs::read_symlink("/proc/self/exe").parent_path() / "flower" / "bin" / "python";
  return fs::exists(beside) ? beside.string() : kAnyPython;
}

/// How a process ended that is asked by SIGINT to end as soon as this one gets a signal to stop.
int status_of_stoppable(pid_t child) {
  constexpr auto kLook = std::chrono::milliseconds(50);
  int status = 0;
  for (bool asked = false; ::waitpid(child, &status, WNOHANG) == 0; std::this_thread::sleep_for(kLook)) {
    if (asked || InterruptGuard::signal_received() == 0) continue;
    ::kill(child, SIGINT);
    asked = true;
  }
  return status;
}

/// Runs the server in a Flower deployment on this machine. A signal to stop ends the run after its round, with a checkpoint.
RunOutcome run_over_flower(const FederateRequest& request, const FederationFolder& folder, int clients, const std::string& sockets) {
  std::vector<std::string> words{python(),
                                 "-m",
                                 "paretofl.flower.deployment",
                                 "--dir",
                                 request.directory.string(),
                                 "--config",
                                 folder.config().string(),
                                 "--clients",
                                 std::to_string(clients),
                                 "--parties",
                                 std::to_string(request.parties),
                                 "--sockets",
                                 sockets};
  if (request.resume) words.emplace_back("--resume");
  if (request.overwrite) words.emplace_back("--overwrite");
  std::string plugins;
  for (const fs::path& file : loaded_plugins()) plugins += (plugins.empty() ? "" : ":") + file.string();
  const InterruptGuard guard("", "paretofl: ends after this round, with a checkpoint; Ctrl-C again ends it at once\n");
  const pid_t child = start_process([&] {
    ::setpgid(0, 0);  // Ctrl-C reaches this process, which passes it on once
    ::setenv("PARETOFL_PLUGINS", plugins.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    throw Error(fmt::format("federate: expected {} to start, found: {}", words[0], std::strerror(errno)));
  });
  const int status = status_of_stoppable(child);
  RunOutcome outcome;
  outcome.directory = request.directory;
  constexpr int kStopped = 130;  // with a checkpoint, as paretofl.flower.deployment says
  if (WIFEXITED(status) && WEXITSTATUS(status) == kStopped && InterruptGuard::signal_received() != 0) {
    outcome.signal = InterruptGuard::signal_received();
    outcome.rounds = nlohmann::json::parse(read_file(folder.path() / "flower.json")).at("rounds").get<long>();
    return outcome;
  }
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "federate: the deployment over Flower failed{}",
         words[0] == kAnyPython ? "; python3 of the PATH ran it, as `make flower` has installed none and PARETOFL_PYTHON names none" : "");
  return outcome;
}

/// Splits the problem and writes the config of all parties; then these take the place of what the folder holds of an earlier federation.
void make_federation(const FederateRequest& request, const FederationFolder& folder) {
  Settings settings = load_config(request.config);
  apply_overrides(settings, request.overrides);
  name_loaded_plugins(settings);
  const ResolvedConfig resolved = resolve_config(settings);
  resolved.config.expect_honest_parties();
  in_own_process("the split", [&] { split_problem(resolved, folder.new_parts(), false); });
  expect_parties(request.parties, read_problem(part_folder(folder.new_parts(), std::nullopt)).clients);
  settings.tables["data"].values["root"] = fs::absolute(part_folder(folder.parts(), std::nullopt)).string();
  const std::string config = to_toml(resolve_config(settings).resolved);
  folder.replace();
  write_whole_file(folder.config(), config);
}

/// Starts the processes of all clients, and then the run.
RunOutcome run_with_parties(const FederateRequest& request, const FederationFolder& folder) {
  const int clients = read_problem(part_folder(folder.parts(), std::nullopt)).clients;
  expect_parties(request.parties, clients);
  const SocketFolder sockets;
  std::vector<HostProcesses::Host> hosts;
  for (int client = 0; client < clients; ++client) {
    const fs::path own = folder.path() / fmt::format("client-{}", client);
    fs::create_directories(own);
    hosts.push_back(party({.config = folder.config(),
                           .overrides = {},
                           .client = client,
                           .data = part_folder(folder.parts(), client),
                           .socket = sockets.of(std::to_string(client)),
                           .state = own / "state"},
                          own / "log"));
  }
  const HostProcesses running(hosts);
  if (request.flower) return run_over_flower(request, folder, clients, sockets.of("{client}"));
  std::vector<std::string> overrides{"runtime.name=sockets", "runtime.sockets=" + sockets.of("{client}")};
  if (request.resume) overrides.insert(overrides.end(), request.overrides.begin(), request.overrides.end());
  return run({.config = request.resume ? fs::path() : folder.config(),
              .directory = request.directory,
              .overrides = overrides,
              .overwrite = request.overwrite,
              .resume = request.resume});
}

}  // namespace

RunOutcome federate(const FederateRequest& request) {
  for (const std::string& text : request.overrides) {
    expect(!text.starts_with("runtime.name") && !text.starts_with("runtime.sockets"),
           "federate: expected no --set of runtime.name and runtime.sockets, which it sets itself, found {}", text);
  }
  const FederationFolder folder(request.directory);
  if (request.resume) {
    expect(fs::exists(folder.config()), "federate: expected a federation in {}, found none", request.directory.string());
  } else {
    RunDirectory::expect_room(request.directory, request.overwrite);
  }
  fs::create_directories(folder.path());
  std::optional<FolderLock> lock(std::in_place, folder.path(), "federation",
                                 std::chrono::seconds(5));  // one that was killed may take a moment
  fs::permissions(folder.path(), fs::perms::owner_all);     // the parties' data is below
  try {
    folder.settle();
    if (request.resume) {
      expect(folder.has_run(), "federate: expected a federation in {} whose run has begun, found one without {}",
             request.directory.string(), RunStart::kFile);
    } else {
      expect(request.overwrite || (!fs::exists(folder.config()) && !folder.has_run()),
             "federate: expected no federation in {}, found one; use --resume or --overwrite", request.directory.string());
      folder.expect_nothing_else();
      make_federation(request, folder);
    }
    RunOutcome outcome = run_with_parties(request, folder);
    folder.settle();
    return outcome;
  } catch (...) {
    folder.settle();
    lock.reset();
    folder.remove_if_empty();
    throw;
  }
}

}  // namespace paretofl
