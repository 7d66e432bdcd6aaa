#include "paretofl/secure_sums/secret_shares.h"

#include <array>

#include "paretofl/core/error.h"
#include "paretofl/secure_sums/mask_stream.h"

namespace paretofl {
namespace {

/// Products without branches or tables that depend on secrets.
std::uint8_t product(std::uint8_t a, std::uint8_t b) {
  unsigned x = a;
  unsigned result = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    result ^= x & (0U - ((static_cast<unsigned>(b) >> bit) & 1U));
    x = (x << 1U) ^ (0x11bU & (0U - (x >> 7U)));
  }
  return static_cast<std::uint8_t>(result);
}

/// The inverse of what is not zero: its 254th power.
std::uint8_t inverse(std::uint8_t a) {
  std::uint8_t power = a;
  for (int i = 0; i < 6; ++i) power = product(product(power, power), a);  // a^127
  return product(power, power);
}

}  // namespace

std::vector<Secret> split_secret(const Secret& secret, std::size_t threshold, std::size_t count, const Secret& randomness) {
  expect(threshold >= 1 && threshold <= count && count <= kMostShares,
         "shares: expected a threshold from 1 to the number of shares, which is at most {}, found {} of {}", kMostShares, threshold, count);
  std::vector<Secret> coefficients(threshold, secret);
  for (std::size_t k = 1; k < threshold; ++k) fill_from(randomness.derive("coefficient " + std::to_string(k)), coefficients[k].bytes());
  std::vector<Secret> shares(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint8_t>(i + 1);
    for (std::size_t byte = 0; byte < Secret::kSize; ++byte) {
      std::uint8_t value = 0;
      for (std::size_t k = threshold; k-- > 0;) {
        value = static_cast<std::uint8_t>(product(value, at) ^ coefficients[k].bytes()[byte]);
      }
      shares[i].bytes()[byte] = value;
    }
  }
  return shares;
}

Secret join_shares(std::span<const NumberedShare> shares) {
  expect(!shares.empty(), "shares: expected at least one, found none");
  std::array<bool, kMostShares> seen{};
  for (const NumberedShare& share : shares) {
    expect(share.number < kMostShares && !seen[share.number], "shares: expected different numbers below {}, found {}", kMostShares,
           share.number);
    seen[share.number] = true;
  }
  Secret secret;
  for (const NumberedShare& one : shares) {
    std::uint8_t factor = 1;  // of Lagrange's interpolation at 0, where signs make no difference
    for (const NumberedShare& other : shares) {
      if (other.number == one.number) continue;
      const auto x = static_cast<std::uint8_t>(other.number + 1);
      factor = product(factor, product(x, inverse(static_cast<std::uint8_t>(x ^ (one.number + 1)))));
    }
    for (std::size_t byte = 0; byte < Secret::kSize; ++byte) secret.bytes()[byte] ^= product(factor, one.share.bytes()[byte]);
  }
  return secret;
}

}  // namespace paretofl
