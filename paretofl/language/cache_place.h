#pragma once

#include <cstdint>

namespace paretofl {

/// The position of the newest token of a sequence: after its prompt, which is in one cache, beside those of other
/// sequences or shared with them, and after the tokens drawn before it, which are in another cache.
struct CachePlace {
  std::int64_t prompt_row = 0;
  std::int64_t prompt_length = 0;
  std::int64_t row = 0;
  std::int64_t drawn = 0;  ///< tokens before it in `row`

  std::int64_t position() const { return prompt_length + drawn; }
};

}  // namespace paretofl
