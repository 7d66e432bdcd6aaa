#pragma once

#include "paretofl/text/json_object.h"
#include "paretofl/tokenizers/token_ids.h"

namespace paretofl {

/// Tokens that a vocabulary's post-processing puts around a text.
struct SurroundingIds {
  TokenIds before, after;
};

/// What the post-processor of a tokenizer.json puts around a single text: TemplateProcessing, BertProcessing,
/// RobertaProcessing, ByteLevel (nothing) or a Sequence of these. Throws Error on any other.
SurroundingIds parse_post_processor(const JsonObject& json);

}  // namespace paretofl
