#include "paretofl/workloads/file_bytes.h"

#include "paretofl/core/input_file.h"

namespace paretofl {

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t most) {
  const std::string content = read_file(file, most);
  return {content.begin(), content.end()};
}

}  // namespace paretofl
