#include "paretofl/serve/serve.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {

void add_serve(CLI::App& app) {
  CLI::App* command = app.add_subcommand("serve", "Show runs in a browser as they go");
  const auto options = std::make_shared<LiveServerOptions>();
  command->add_option("DIR", options->folder, "run directory, or a folder of them, such as that of a sweep")->required()->type_name("");
  command->add_option("--port", options->port, "port to listen on (default: a free one)")
      ->transform(whole_number())
      ->check(CLI::Range(0, 65535))
      ->type_name("N");
  command->add_option("--host", options->host, "address to listen on; one that others can reach needs --token")
      ->capture_default_str()
      ->type_name("H");
  command->add_option("--token", options->token, "what every request must present, as a bearer token or as ?token=")
      ->envname("PARETOFL_TOKEN")
      ->type_name("T");
  command->footer(
      "Prints the page's address and answers until Ctrl-C, SIGTERM or SIGHUP. It only reads.\n\n"
      "Example: a sweep that goes on; reachable from other machines\n"
      "  paretofl serve runs/sweep\n"
      "  PARETOFL_TOKEN=$(openssl rand -hex 16) paretofl serve runs/sweep --host 0.0.0.0 --port 8080");
  command->callback([options] {
    serve(*options, [](const std::string& address) {
      write_output("{}\n", address);
      finish_output();
    });
  });
}

}  // namespace paretofl
