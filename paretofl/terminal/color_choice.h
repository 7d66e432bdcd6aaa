#pragma once

namespace paretofl {

/// Whether text gets ANSI colours: on a terminal, unless NO_COLOR is set to anything but an empty text (https://no-color.org) or TERM is
/// "dumb". The values of the two variables are null where they are not set.
bool takes_color(bool on_terminal, const char* no_color, const char* term);

/// The same of standard output, with the variables of this process.
bool output_takes_color();

}  // namespace paretofl
