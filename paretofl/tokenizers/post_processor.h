#pragma once

#include "paretofl/text/json_object.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// Tokens that a vocabulary's post-processing puts around a text.
struct SurroundingIds {
  TokenIds before, after;
  std::optional<PairIds> pair = PairIds{};  ///< around two texts; absent where the post-processing doesn't put them one behind the other
};

/// What the post-processor of a tokenizer.json puts around a single text and around a pair: TemplateProcessing, BertProcessing,
/// RobertaProcessing, ByteLevel (nothing) or a Sequence of these. Throws Error on any other.
SurroundingIds parse_post_processor(const JsonObject& json);

}  // namespace paretofl
