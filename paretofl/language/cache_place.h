#pragma once

#include <cstdint>

namespace paretofl {

/// Where the newest token of a sequence stands: behind its prompt, which lies in one cache, beside those of other
/// sequences or shared with them, and behind what was drawn before it, which lies in another cache.
struct CachePlace {
  std::int64_t prompt_row = 0;
  std::int64_t prompt_length = 0;
  std::int64_t row = 0;
  std::int64_t drawn = 0;  ///< tokens before it in `row`

  std::int64_t position() const { return prompt_length + drawn; }
};

}  // namespace paretofl
