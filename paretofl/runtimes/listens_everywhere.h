#pragma once

namespace paretofl {

/// Whether one of this process's sockets waits for connections on every network interface of the machine.
bool listens_everywhere();

}  // namespace paretofl
