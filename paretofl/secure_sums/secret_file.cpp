#include "paretofl/secure_sums/secret_file.h"

#include <sys/stat.h>

#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/files/durable_file.h"

namespace paretofl {

Secret secret_in(const std::string& what, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  if (!std::filesystem::exists(file)) {
    const ::mode_t before = ::umask(077);
    try {
      DurableFile::replace(what, file, std::as_bytes(std::span(Secret::random().bytes())));
    } catch (...) {
      ::umask(before);
      throw;
    }
    ::umask(before);
  }
  const std::vector<std::byte> bytes = DurableFile::read(what, file);
  try {
    return Secret(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  } catch (const Error&) {
    throw Error(fmt::format("{}: expected a file of {} bytes, found {} in {}", what, Secret::kSize, bytes.size(), file.string()));
  }
}

}  // namespace paretofl
