// Throws instead of adding parts.
#include <stdexcept>

#include "paretofl/registry/plugin_interface.h"

PARETOFL_PLUGIN(parts) {
  static_cast<void>(parts);
  throw std::runtime_error("the moon is full");
}
