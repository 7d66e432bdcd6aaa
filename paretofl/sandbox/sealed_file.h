#pragma once

#include <string_view>

#include "paretofl/sandbox/descriptor.h"

namespace paretofl {

/// A file without a name that holds `bytes`, from its beginning, and that nobody can write to any more: what a program
/// inherits to read. Throws Error if the system refuses.
Descriptor sealed_file(std::string_view bytes);

}  // namespace paretofl
