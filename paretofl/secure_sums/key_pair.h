#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "paretofl/secure_sums/secret.h"

struct evp_pkey_st;

namespace paretofl {

using PublicKey = std::array<std::uint8_t, 32>;

/// Keys of X25519 (RFC 7748), by which two parties come to a secret that those who carry their messages do not know.
class KeyPair {
 public:
  /// The pair whose private key is the secret.
  explicit KeyPair(const Secret& secret);

  const PublicKey& public_key() const { return public_; }
  /// What this pair's private key and the other's public key make; the same as the other way round. Throws Error where the public key is
  /// no point of the curve that makes a secret.
  Secret shared_with(const PublicKey& other) const;

 private:
  std::shared_ptr<evp_pkey_st> private_;
  PublicKey public_{};
};

}  // namespace paretofl
