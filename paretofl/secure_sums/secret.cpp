#include "paretofl/secure_sums/secret.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <algorithm>
#include <memory>
#include <string>

#include "paretofl/core/error.h"

namespace paretofl {

Secret::Secret(std::span<const std::uint8_t> bytes) {
  expect(bytes.size() == kSize, "secret: expected {} bytes, found {}", kSize, bytes.size());
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
}

Secret::~Secret() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

Secret Secret::derive(std::string_view purpose) const {
  const std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr), EVP_KDF_free);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(EVP_KDF_CTX_new(kdf.get()), EVP_KDF_CTX_free);
  std::string digest = "SHA256";
  std::string info(purpose);
  auto key = bytes_;
  const std::array<OSSL_PARAM, 4> parameters{OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
                                             OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
                                             OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
                                             OSSL_PARAM_construct_end()};
  Secret derived;
  const bool done = context != nullptr && EVP_KDF_derive(context.get(), derived.bytes_.data(), kSize, parameters.data()) == 1;
  OPENSSL_cleanse(key.data(), key.size());
  expect(done, "secret: expected HKDF-SHA256 from the cryptographic library, found none");
  return derived;
}

Secret Secret::random() {
  Secret secret;
  expect(RAND_bytes(secret.bytes_.data(), static_cast<int>(kSize)) == 1, "secret: expected random bytes from the system, found none");
  return secret;
}

}  // namespace paretofl
