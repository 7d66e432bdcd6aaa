#include "paretofl/secure_sums/key_stream.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

KeyStream::KeyStream(const Secret& key) : cipher_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
  constexpr std::array<std::uint8_t, 16> kCounterAndNonce{};
  expect(cipher_ != nullptr && EVP_EncryptInit_ex(cipher_.get(), EVP_chacha20(), nullptr, key.bytes().data(), kCounterAndNonce.data()) == 1,
         "masks: expected ChaCha20 from the cryptographic library, found none");
}

void KeyStream::fill(std::span<std::uint8_t> bytes) {
  constexpr std::size_t kBlock = 1U << 20U;
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  for (std::size_t start = 0; start < bytes.size(); start += kBlock) {
    const auto block = bytes.subspan(start, std::min(kBlock, bytes.size() - start));
    int written = 0;
    expect(EVP_EncryptUpdate(cipher_.get(), block.data(), &written, block.data(), static_cast<int>(block.size())) == 1,
           "masks: expected ChaCha20 from the cryptographic library, found a failure");
  }
}

void KeyStream::refill() {
  fill({reinterpret_cast<std::uint8_t*>(ahead_.data()), sizeof(ahead_)});
  used_ = 0;
}

}  // namespace paretofl
