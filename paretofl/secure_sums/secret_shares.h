#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// The largest number of shares of a secret.
inline constexpr std::size_t kMostShares = 255;

/// Shamir's secret sharing (1979), byte by byte over the field of 256 elements with the polynomial x^8 + x^4 + x^3 + x + 1: share i, from
/// 0, is the value at i + 1 of a polynomial whose coefficient 0 is the secret. Any `threshold` shares give it back; fewer tell nothing of
/// it. The other coefficients come from `randomness`, which must be secret and serve no other purpose. Throws Error unless 1 <= threshold
/// <= count <= kMostShares.
std::vector<Secret> split_secret(const Secret& secret, std::size_t threshold, std::size_t count, const Secret& randomness);

/// A share and its number, from 0.
struct NumberedShare {
  std::size_t number;
  Secret share;
};

/// The secret again, from at least as many shares as the threshold. Throws Error without a share, and on numbers that are too large or
/// occur twice. Altered shares make another secret: what it must fit has to be checked.
Secret join_shares(std::span<const NumberedShare> shares);

}  // namespace paretofl
