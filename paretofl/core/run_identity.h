#pragma once

#include <cstdint>
#include <string>

#include "paretofl/core/texts.h"

namespace paretofl {

/// What a run shows to the processes of its parties.
struct RunIdentity {
  std::string run = {};     ///< its id, 32 hexadecimal digits
  std::uint64_t start = 1;  ///< how many times its server has been started
  Texts agreed = {};        ///< what all parties must have alike: engine, settings, problem
  int num_clients = 0;
};

}  // namespace paretofl
