#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/model_files/safetensors_folder.h"

// Any text is either an index of shards in the same folder or an Error.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& [tensor, shard] : paretofl::parse_shard_index(std::string(reinterpret_cast<const char*>(data), size), "input")) {
      if (shard.find('/') != std::string::npos) std::abort();
    }
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  return 0;
}
