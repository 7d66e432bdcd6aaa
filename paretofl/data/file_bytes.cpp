#include "paretofl/data/file_bytes.h"

#include <span>
#include <string>

#include "paretofl/files/data_ledger.h"
#include "paretofl/files/input_file.h"

namespace paretofl {

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t most) {
  const std::string content = read_file(file, most);
  DataLedger::note(file, std::as_bytes(std::span(content)));
  return {content.begin(), content.end()};
}

}  // namespace paretofl
