#pragma once

#include <string_view>

#include "paretofl/core/texts.h"

namespace paretofl {

/// The record of a checkpoint that holds plugin_digests() of the process that wrote it, where it had plugins.
inline constexpr const char* kPluginFiles = "plugins";

/// Warns, begun by `who`, of each loaded plugin that is another file than the one of its name among `digests`.
void warn_of_other_plugins(std::string_view who, const Texts& digests);

}  // namespace paretofl
