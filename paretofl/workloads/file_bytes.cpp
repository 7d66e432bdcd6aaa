#include "paretofl/workloads/file_bytes.h"

#include <fstream>

#include "paretofl/core/data_ledger.h"
#include "paretofl/core/error.h"
#include "paretofl/core/expect_file.h"

namespace paretofl {

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t most) {
  const std::string name = file.string();
  expect_file(file);
  std::error_code failure;
  const auto size = std::filesystem::file_size(file, failure);
  expect(!failure && size <= most, "{}: expected a file of at most {} bytes, found {}", name, most,
         failure ? failure.message() : std::to_string(size));
  std::vector<std::uint8_t> content(size);
  std::ifstream stream(file, std::ios::binary);
  expect(stream.is_open(), "{}: expected a readable file, found it cannot be opened", name);
  stream.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(size));
  expect(static_cast<std::size_t>(stream.gcount()) == size, "{}: expected {} bytes, found {}", name, size, stream.gcount());
  DataLedger::note(file, std::as_bytes(std::span(content)));
  return content;
}

}  // namespace paretofl
