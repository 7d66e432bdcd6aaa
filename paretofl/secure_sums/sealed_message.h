#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// `message` encrypted and authenticated by ChaCha20-Poly1305 (RFC 8439), bound to `context`. A key seals one message only: the nonce is
/// always zero.
std::vector<std::uint8_t> seal(const Secret& key, std::string_view context, std::span<const std::uint8_t> message);

/// The message again. Throws Error on one that was altered, and on another key or context.
std::vector<std::uint8_t> open_sealed(const Secret& key, std::string_view context, std::span<const std::uint8_t> sealed);

/// How many bytes longer a sealed message is.
inline constexpr std::size_t kSealBytes = 16;

}  // namespace paretofl
