#pragma once

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace paretofl {

/// Starts a command, found on the PATH, in a process group of its own, with default signals. Its descriptors 0, 1, .. are
/// copies of the given ones; it has no others. May be called while other threads run. Throws Error, naming the command,
/// where it cannot be started.
pid_t spawn(const std::vector<std::string>& command, std::initializer_list<int> descriptors);

}  // namespace paretofl
