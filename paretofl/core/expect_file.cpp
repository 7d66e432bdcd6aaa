#include "paretofl/core/expect_file.h"

#include "paretofl/core/error.h"

namespace paretofl {

void expect_file(const std::filesystem::path& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  expect(status.type() != std::filesystem::file_type::not_found, "{}: expected a file, found none", path.string());
  expect(!failure, "{}: expected a file, found: {}", path.string(), failure.message());
  expect(is_regular_file(status), "{}: expected a file, found {}", path.string(), is_directory(status) ? "a folder" : "something else");
}

}  // namespace paretofl
