#include "paretofl/sandbox/sealed_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "paretofl/core/error.h"

namespace paretofl {

Descriptor sealed_file(std::string_view bytes) {
  Descriptor file(::memfd_create("paretofl", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  expect(file.open(), "sandbox: expected a file in memory, found: {}", std::strerror(errno));
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    expect(count > 0, "sandbox: expected a file in memory that can be written, found: {}", std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  const bool sealed = ::lseek(file.number(), 0, SEEK_SET) == 0 &&
                      ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
  expect(sealed, "sandbox: expected a file in memory that can be sealed, found: {}", std::strerror(errno));
  return file;
}

}  // namespace paretofl
