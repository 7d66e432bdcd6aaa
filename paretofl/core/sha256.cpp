#include "paretofl/core/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "paretofl/core/error.h"

namespace paretofl {

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  expect(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1,
         "sha256: expected libcrypto to offer SHA-256, found none");
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace paretofl
