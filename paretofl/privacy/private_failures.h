#pragma once

#include "paretofl/core/client.h"

namespace paretofl {

/// Clients whose failures tell the server nothing but that they failed: messages can name values of their data. The reason goes to the
/// standard error of the process that the client is in, once for each of several equal ones in a row.
ClientFactory with_private_failures(ClientFactory factory);

}  // namespace paretofl
