#pragma once

#include "paretofl/core/texts.h"

namespace paretofl {

/// What all processes of one run must share, so that it does not matter which of them computes: the run's identity, the engine's version
/// with its commit, its compiler, the instructions that it was built for, and the content of the plugins that are loaded.
Texts process_identity(Texts run_identity);

}  // namespace paretofl
