#pragma once

#include <functional>

#include "paretofl/core/client.h"
#include "paretofl/privacy/secret.h"

namespace paretofl {

/// Clients that take part in secure sums (secure_sum.h): their answers to what a strategy asks leave them as masked values alone. `bits` is
/// how many bits after the point values have (FixedPoint), and `summands` the largest number of clients in a sum. `root` gives each client
/// a secret that no other party knows.
ClientFactory with_masking(ClientFactory factory, int bits, std::size_t summands, std::function<Secret(int client)> root);

/// A text in a request's record that the party's own process sets, never the server: what makes this request unlike all others that the
/// party has had or will have (MaskingClient, `occasion`).
inline constexpr const char* kOccasion = "occasion";

}  // namespace paretofl
