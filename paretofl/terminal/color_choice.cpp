#include "paretofl/terminal/color_choice.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace paretofl {

bool takes_color(bool on_terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  return on_terminal && !refused && (term == nullptr || std::string_view(term) != "dumb");
}

bool output_takes_color() { return takes_color(::isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM")); }

}  // namespace paretofl
