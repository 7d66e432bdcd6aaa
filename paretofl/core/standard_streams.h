#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace paretofl {

/// To be called before anything opens a file. Descriptors 0 to 2 that are closed are opened on /dev/null, so that no file gets
/// their numbers and receives output that was meant for a closed stream. SIGPIPE and SIGXFSZ are ignored: a closed pipe and
/// the limit of a file's size are then errors of a write and do not end the process.
void prepare_standard_streams();

/// Writes to standard output as it is. Throws Error if that fails.
void write_output_bytes(std::string_view bytes);

/// Writes out what standard output still buffers. Throws Error if that fails: a full disk or a closed pipe must not count
/// as success.
void finish_output();

/// Writes a formatted text to standard output. Throws Error if that fails.
template <class... Args>
void write_output(fmt::format_string<Args...> text, Args&&... args) {
  write_output_bytes(fmt::format(text, std::forward<Args>(args)...));
}

/// Writes a path and a line feed to standard output, byte for byte, or printable() on a terminal. Throws Error if that fails.
void write_output_path(const std::filesystem::path& path);

/// Writes to standard error if possible. It never throws: a message that cannot be written must not end a run.
void write_message(std::string_view text) noexcept;

/// A line for people on standard error, which begins with "paretofl: " and is printable(), with the end of a very long text
/// left out. It never throws.
void warn_text(std::string_view text) noexcept;

template <class... Args>
void warn(fmt::format_string<Args...> text, Args&&... args) noexcept {
  try {
    warn_text(fmt::format(text, std::forward<Args>(args)...));
  } catch (...) {
    warn_text("memory: expected enough for a message, found none left");
  }
}

}  // namespace paretofl
