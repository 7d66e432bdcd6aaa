#pragma once

#include <string>
#include <vector>

#include "paretofl/sandbox/sandbox_options.h"

namespace paretofl {

/// Descriptors that the command expects to be open, beside standard input, output and error.
inline constexpr int kProgramDescriptor = 3;  ///< the program's text
inline constexpr int kFilterDescriptor = 4;   ///< the seccomp program
inline constexpr int kStatusDescriptor = 5;   ///< where bubblewrap says how things stand
inline constexpr int kBlockDescriptor = 6;    ///< nothing runs before this has a byte to read
inline constexpr int kCallerDescriptor = 7;   ///< open at its other end as long as the caller lives
inline constexpr int kReaderDescriptor = 8;   ///< the other end of the status, without which bubblewrap would stop halfway

/// Exit codes beyond this one are it and a signal's number.
inline constexpr int kSignalled = 128;
/// Exit code that says an allocation was refused.
inline constexpr int kOutOfMemoryCode = 86;

/// The command line of one run: bubblewrap (for root by way of another user, since limits on processes do not bind
/// root), the interpreter, and the Python lines that set the limits and then run the program. Throws Error if the interpreter
/// is missing, or neither below /usr nor a PREFIX/bin/NAME.
std::vector<std::string> sandbox_command(const SandboxOptions& options);

}  // namespace paretofl
