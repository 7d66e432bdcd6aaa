#include "paretofl/secure_sums/sealed_message.h"

#include <openssl/evp.h>

#include <array>
#include <memory>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::array<std::uint8_t, 12> kNonce{};

std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher_context() { return {EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free}; }

const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

}  // namespace

std::vector<std::uint8_t> seal(const Secret& key, std::string_view context, std::span<const std::uint8_t> message) {
  const auto cipher = cipher_context();
  std::vector<std::uint8_t> sealed(message.size() + kSealBytes);
  int written = 0;
  const bool done =
      cipher != nullptr && EVP_EncryptInit_ex(cipher.get(), EVP_chacha20_poly1305(), nullptr, key.bytes().data(), kNonce.data()) == 1 &&
      EVP_EncryptUpdate(cipher.get(), nullptr, &written, bytes_of(context), static_cast<int>(context.size())) == 1 &&
      EVP_EncryptUpdate(cipher.get(), sealed.data(), &written, message.data(), static_cast<int>(message.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), sealed.data() + written, &written) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(kSealBytes), sealed.data() + message.size()) == 1;
  expect(done, "sealed message: expected ChaCha20-Poly1305 from the cryptographic library, found none");
  return sealed;
}

std::vector<std::uint8_t> open_sealed(const Secret& key, std::string_view context, std::span<const std::uint8_t> sealed) {
  expect(sealed.size() >= kSealBytes, "sealed message: expected at least {} bytes, found {}", kSealBytes, sealed.size());
  const auto cipher = cipher_context();
  std::vector<std::uint8_t> message(sealed.size() - kSealBytes);
  std::array<std::uint8_t, kSealBytes> tag{};
  std::copy(sealed.end() - kSealBytes, sealed.end(), tag.begin());
  int written = 0;
  const bool done = cipher != nullptr &&
                    EVP_DecryptInit_ex(cipher.get(), EVP_chacha20_poly1305(), nullptr, key.bytes().data(), kNonce.data()) == 1 &&
                    EVP_DecryptUpdate(cipher.get(), nullptr, &written, bytes_of(context), static_cast<int>(context.size())) == 1 &&
                    EVP_DecryptUpdate(cipher.get(), message.data(), &written, sealed.data(), static_cast<int>(message.size())) == 1 &&
                    EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(kSealBytes), tag.data()) == 1 &&
                    EVP_DecryptFinal_ex(cipher.get(), message.data() + written, &written) == 1;
  expect(done, "sealed message: expected the message that was sealed, found an altered one, or one for another purpose");
  return message;
}

}  // namespace paretofl
