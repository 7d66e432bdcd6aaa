#pragma once

#include <functional>
#include <vector>

#include "paretofl/core/client.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/release_options.h"
#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// What clients do with their numbers before these leave them.
struct Masking {
  FixedPoint fixed_point;
  ReleaseOptions release = {};
  std::vector<std::size_t> layers = {};  ///< as Release says
  double threshold = 0.5;                ///< share of its neighbours below which a client takes part in no sum
};

/// Clients that take part in secure sums (secure_sum.h): their answers to what a strategy asks leave them as masked values alone, clipped
/// and with noise where the options say so. The noise of as many clients as must stay to the end of a sum is enough. `root` gives each
/// client a secret that no other party knows.
ClientFactory with_masking(ClientFactory factory, Masking masking, std::function<Secret(int client)> root);

/// A text in a request's record that the party's own process sets, never the server: what makes this request unlike all others that the
/// party has had or will have (MaskingClient, `occasion`).
inline constexpr const char* kOccasion = "occasion";

}  // namespace paretofl
