#include "paretofl/secure_sums/key_pair.h"

#include <openssl/evp.h>

#include "paretofl/core/error.h"

namespace paretofl {

KeyPair::KeyPair(const Secret& secret)
    : private_(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.bytes().data(), Secret::kSize), EVP_PKEY_free) {
  std::size_t size = public_.size();
  expect(private_ != nullptr && EVP_PKEY_get_raw_public_key(private_.get(), public_.data(), &size) == 1 && size == public_.size(),
         "keys: expected X25519 from the cryptographic library, found none");
}

Secret KeyPair::shared_with(const PublicKey& other) const {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> peer(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, other.data(), other.size()), EVP_PKEY_free);
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(EVP_PKEY_CTX_new(private_.get(), nullptr), EVP_PKEY_CTX_free);
  Secret shared;
  std::size_t size = Secret::kSize;
  expect(peer != nullptr && context != nullptr && EVP_PKEY_derive_init(context.get()) == 1 &&
             EVP_PKEY_derive_set_peer(context.get(), peer.get()) == 1 &&
             EVP_PKEY_derive(context.get(), shared.bytes().data(), &size) == 1 && size == Secret::kSize,
         "keys: expected a public key of X25519, found bytes that make no secret");
  return shared;
}

}  // namespace paretofl
