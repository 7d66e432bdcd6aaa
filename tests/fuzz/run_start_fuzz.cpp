#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/runs/run_start.h"

// Any text is either federation/run.json, which is written and read back as the same start, or an Error of one line.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const paretofl::RunStart start = paretofl::RunStart::parse(text, "input");
    const paretofl::RunStart again = paretofl::RunStart::parse(start.text(), "written");
    if (again.run != start.run || again.starts != start.starts || again.current() != start.current()) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
