#include "paretofl/federation/host.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "apps/preset_folder.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {

void add_host(CLI::App& app) {
  CLI::App* command = app.add_subcommand("host", "Be a party's process: hold one client's data and answer the server");
  const auto request = std::make_shared<HostRequest>();
  const auto config = std::make_shared<std::string>();
  command->add_option("CONFIG", *config, "TOML file or preset, the same as the server's")->required()->type_name("");
  command->add_option("--client", request->client, "the client's number, from 0")->transform(whole_number())->required()->type_name("K");
  command->add_option("--data", request->data, "folder of the client's data")->required()->type_name("DIR");
  command->add_option("--socket", request->socket, "Unix socket to answer on; only its owner may open it")->required()->type_name("PATH");
  command->add_option("--state", request->state, "folder for the saved state of this process; no two processes may use it at a time")
      ->required()
      ->type_name("DIR");
  command->add_option("--set", request->overrides, "key=value, overrides the config; may be given again")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->footer(
      "Answers until Ctrl-C, SIGTERM or SIGHUP. A repeated request gets the same reply; one of another run, federation or client, and one\n"
      "that is too old, is refused. After kill -9 the same command goes on where it was: what was answered is on disk.\n\n"
      "Example: client 3 of a federation\n"
      "  paretofl host fedcmoo-quadratics --client 3 --data parts/client-3 --socket /run/paretofl/client-3 --state state-3");
  command->callback([request, config] {
    request->config = config_file(*config);
    request->on_ready = [request = request.get()] {  // not the pointer that owns it: they would keep each other alive
      warn("client {}: answering on {}", request->client, request->socket.string());
    };
    const int signal = host(*request);
    warn("client {}: ended by signal {}", request->client, signal);
  });
}

}  // namespace paretofl
