#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/request.h"
#include "paretofl/wire/party_request.h"

namespace paretofl {

/// Messages and saved states as bytes. All little-endian: magic "PFLM" (4 bytes), format version
/// (u16), kind (u16), payload length (u64), XXH3-64 of the payload (u64), payload. Every length is a
/// u64 in front of what it counts.
///   request: client u32, verb, seed u64, round u32, parameters (flag u8, float32s), objective weights
///            (float64s), extra (record)
///   reply:   client u32, number of samples f64, update (float32s), losses (float64s), extra (record),
///            error (flag u8, text)
///   state:   a record (see record_codec.h)
///   party request: run (text), start u64, exchange u64, previous u64, digest (text), then the payload of a request
inline constexpr std::uint16_t kWireVersion = 1;

std::vector<std::byte> encode(const Envelope& envelope);
std::vector<std::byte> encode(const Reply& reply);
std::vector<std::byte> encode(const Record& state);
std::vector<std::byte> encode(const PartyRequest& request);

/// The size of what encode returns, without encoding: in-process runs count bytes and copy none.
std::size_t encoded_size(const Envelope& envelope);
std::size_t encoded_size(const Reply& reply);
std::size_t encoded_size(const Record& state);
std::size_t encoded_size(const PartyRequest& request);

/// The inverse of encode. Throws Error unless `bytes` are exactly one whole, undamaged message of that
/// kind and of a version known here.
Envelope decode_envelope(std::span<const std::byte> bytes);
Reply decode_reply(std::span<const std::byte> bytes);
Record decode_state(std::span<const std::byte> bytes);
PartyRequest decode_party_request(std::span<const std::byte> bytes);

/// The size of the message that begins there, by its header; nothing where not even the header is whole. Throws Error where there is no
/// message's header.
std::optional<std::size_t> message_size(std::span<const std::byte> bytes);

}  // namespace paretofl
