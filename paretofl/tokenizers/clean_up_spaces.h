#pragma once

#include <string>

namespace paretofl {

/// The text without the spaces before English punctuation and contractions, such as " ." and " n't", as the reference library's
/// clean_up_tokenization_spaces takes them away.
std::string clean_up_spaces(std::string text);

}  // namespace paretofl
