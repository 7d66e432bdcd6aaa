// Says that it was built for another library.
#include "paretofl/registry/plugin_interface.h"

extern "C" const paretofl::Plugin* paretofl_plugin() {
  static const paretofl::Plugin kPlugin{"ParetoFL 0.0.1", nullptr};
  return &kPlugin;
}
