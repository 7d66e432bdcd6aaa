#include "paretofl/core/whole_file.h"

#include <cstring>
#include <fstream>

#include "paretofl/core/error.h"

namespace paretofl {

void write_whole_file(const std::filesystem::path& path, const std::string& text) {
  write_whole_file(path, [&text](std::ostream& file) { file << text; });
}

void write_whole_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool replaceable = !std::filesystem::exists(status) || is_regular_file(status) || is_directory(status);
  const std::filesystem::path aside = replaceable ? path.string() + ".tmp" : path.string();
  {
    std::ofstream file(aside, std::ios::binary | std::ios::trunc);
    expect(file.is_open(), "{}: expected a file that can be written, found: {}", aside.string(), std::strerror(errno));
    write(file);
    file.flush();
    expect(static_cast<bool>(file), "{}: expected room to write, found: {}", aside.string(), std::strerror(errno));
  }
  if (!replaceable) return;
  std::filesystem::rename(aside, path, error);
  expect(!error, "{}: expected to be replaceable, found: {}", path.string(), error.message());
}

}  // namespace paretofl
