#pragma once

#include <cstdint>
#include <span>

#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// Adds to each value the next 64 bits of the key's stream (ChaCha20, RFC 8439, nonce zero), modulo 2^64.
void add_mask(const Secret& key, std::span<std::uint64_t> values);
/// Takes the same away.
void subtract_mask(const Secret& key, std::span<std::uint64_t> values);

/// Fills with the key's stream.
void fill_from(const Secret& key, std::span<std::uint8_t> bytes);

}  // namespace paretofl
