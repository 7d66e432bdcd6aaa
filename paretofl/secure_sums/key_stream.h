#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// Bytes that follow from a key and look random to whoever does not have it: ChaCha20 (RFC 8439), nonce zero.
class KeyStream {
 public:
  explicit KeyStream(const Secret& key);

  /// The next bytes.
  void fill(std::span<std::uint8_t> bytes);
  /// The next 64 bits. Mixes with fill() in any order.
  std::uint64_t next() {
    if (used_ == ahead_.size()) refill();
    return ahead_[used_++];
  }

 private:
  void refill();

  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher_;
  std::array<std::uint64_t, 512> ahead_{};  ///< for next()
  std::size_t used_ = ahead_.size();
};

}  // namespace paretofl
