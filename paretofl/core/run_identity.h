#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/texts.h"

namespace paretofl {

/// What a run shows to the processes of its parties.
struct RunIdentity {
  std::string run = {};                    ///< its id, 32 hexadecimal digits
  std::vector<std::uint64_t> starts = {};  ///< the random number of each start of its server, in order; the last is of this one
  Texts agreed = {};                       ///< what all parties must have alike: engine, settings, problem
  int num_clients = 0;
};

}  // namespace paretofl
