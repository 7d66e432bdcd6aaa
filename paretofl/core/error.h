#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace paretofl {

/// Wrong input of a user or a peer: a config, a file, a message, a Gramian. The text says what was
/// expected and what was found; the command prints it as one line and exits with a non-zero code.
/// Bugs of the library stop it by an assertion instead.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Error with a formatted text unless `condition` holds.
template <class... Args>
void expect(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) throw Error(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace paretofl
