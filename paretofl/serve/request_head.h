#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paretofl {

/// The head of an HTTP request with the fields that the server uses and without all others, so that nothing a client asks for besides
/// (parts of an answer, compression, a body) reaches the code that would do it. `head` ends with the empty line. Nothing where it is not
/// the head of a request: control characters, characters beyond ASCII in the first line, a folded line, a field without a name, or not
/// exactly one Host.
std::optional<std::string> used_head(std::string_view head);

}  // namespace paretofl
