#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace paretofl {

/// A text without the white space at its ends.
std::string_view trimmed(std::string_view text);

/// What follows the last <name> of a text, up to </name> or, where the tag is never closed, to the text's end. None
/// without <name>.
std::optional<std::string_view> tagged_text(std::string_view text, std::string_view name);

/// Whether a minus stands right before the tag <name> behind which `tagged`, a part of the text, begins: -<answer>5. That leaves open
/// whether it is a sign.
bool has_minus_before_tag(std::string_view text, std::string_view tagged, std::string_view name);

/// The argument of the last \boxed or \fbox of a text: what its braces enclose, or without braces the rest of the line or
/// formula. None where there is no such command, or the last one's braces never close.
std::optional<std::string_view> boxed_text(std::string_view text);

/// What the braces of every \boxed and \fbox of a text enclose, in order; of boxes within boxes the outermost.
std::vector<std::string_view> boxed_texts(std::string_view text);

}  // namespace paretofl
