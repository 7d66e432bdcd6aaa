#include "paretofl/federation/federate.h"

#include <fmt/format.h>

#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/federation/host.h"
#include "paretofl/federation/host_processes.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

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

/// A process that is not this one's: what it loads takes none of this one's memory, and starts no thread here.
HostProcesses::Host party(const HostRequest& request, const fs::path& log) {
  return {log, [request](const std::function<void()>& on_ready) {
            try {
              HostRequest own = request;
              own.on_ready = on_ready;
              host(own);
              return 0;
            } catch (const std::exception& failure) {
              warn("{}", explanation(failure));
              return 1;
            }
          }};
}

}  // namespace

RunOutcome federate(const FederateRequest& request) {
  const fs::path folder = request.directory / "federation";
  const fs::path config = folder / "config.toml";
  if (!request.resume) {
    expect(request.overwrite || !fs::exists(folder), "federate: expected no federation in {}, found one; use --resume or --overwrite",
           request.directory.string());
    fs::remove_all(folder);
    fs::create_directories(folder);
    Settings settings = load_config(request.config);
    apply_overrides(settings, request.overrides);
    write_whole_file(config, to_toml(resolve_config(settings).resolved));
  }
  const RunConfig shared = resolve_config(load_config(config)).config;
  const int clients = make_workload(shared)->num_clients();

  const SocketFolder sockets;
  std::vector<HostProcesses::Host> parties;
  for (int client = 0; client < clients; ++client) {
    const fs::path own = folder / fmt::format("client-{}", client);
    fs::create_directories(own);
    parties.push_back(party({.config = config,
                             .overrides = {},
                             .client = client,
                             .data = shared.data_root,
                             .socket = sockets.of(std::to_string(client)),
                             .state = own / "state"},
                            own / "log"));
  }
  const HostProcesses running(parties);
  return run({.config = request.resume ? fs::path() : config,
              .directory = request.directory,
              .overrides = {"runtime.name=sockets", "runtime.sockets=" + sockets.of("{client}")},
              .overwrite = request.overwrite,
              .resume = request.resume});
}

}  // namespace paretofl
