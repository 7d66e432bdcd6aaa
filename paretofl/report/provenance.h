#pragma once

#include <filesystem>

#include "paretofl/core/texts.h"

namespace paretofl {

/// What the run's summary.json says of its making: version, commit, compiler, processor, started, ended and other texts. Empty where there
/// is no summary. Throws Error where it is broken.
Texts read_provenance(const std::filesystem::path& run);

}  // namespace paretofl
