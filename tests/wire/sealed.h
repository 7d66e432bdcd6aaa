#pragma once

#include <xxhash.h>

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/wire/byte_writer.h"
#include "paretofl/wire/message.h"

namespace paretofl {

/// A message with any payload behind a header that fits it.
inline std::vector<std::byte> sealed(std::uint16_t kind, std::span<const std::byte> payload, std::uint16_t version = kWireVersion) {
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  out.bytes(std::as_bytes(std::span("PFLM", 4)));
  out.u16(version);
  out.u16(kind);
  out.u64(payload.size());
  out.u64(XXH3_64bits(payload.data(), payload.size()));
  out.bytes(payload);
  return bytes;
}

}  // namespace paretofl
