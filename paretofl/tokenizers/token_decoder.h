#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/text/json_object.h"

namespace paretofl {

/// Turns tokens back into pieces of text, which are then put together. Immutable, and safe to share between threads.
class TokenDecoder {
 public:
  virtual ~TokenDecoder() = default;
  virtual void decode(std::vector<std::string>& tokens) const = 0;
};

/// The decoder that a tokenizer.json describes: Sequence, ByteLevel, ByteFallback, Metaspace, Replace, Fuse or Strip. Bytes
/// are kept as they are, whether or not they are UTF-8. Throws Error on any other.
std::unique_ptr<const TokenDecoder> make_token_decoder(const JsonObject& json);

}  // namespace paretofl
