#include "apps/plugin_option.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "paretofl/registry/plugins.h"

namespace paretofl {

void add_plugin_options(CLI::App& app) {
  const auto load = [](const std::vector<std::string>& files) {
    for (const std::string& file : files) load_plugin(file);
  };
  const auto add_to = [&](CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--plugin", load,
            "shared library with parts of your own (the command of the Python package also takes a Python file); may be given again")
        ->take_all()
        ->allow_extra_args(false)
        ->type_name("FILE");
  };
  add_to(app);
  for (CLI::App* subcommand : app.get_subcommands(nullptr)) {
    add_to(*subcommand);
    subcommand->parse_complete_callback([] {
      if (const char* files = std::getenv("PARETOFL_PLUGINS")) load_plugins(files);
    });
  }
}

}  // namespace paretofl
