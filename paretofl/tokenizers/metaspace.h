#pragma once

#include <string>

#include "paretofl/text/json_object.h"

namespace paretofl {

/// Which words a tokenizer.json's Metaspace puts its mark for a space before.
enum class PrependScheme { kAlways, kFirst, kNever };

/// SentencePiece's way with spaces: each becomes a mark, U+2581 unless said otherwise, which begins a word.
struct Metaspace {
  std::string mark;
  PrependScheme prepend = PrependScheme::kAlways;
  bool split = true;

  explicit Metaspace(const JsonObject& json);
};

}  // namespace paretofl
