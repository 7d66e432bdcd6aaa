#include "paretofl/privacy/mask_stream.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// The key's stream, block after block.
class KeyStream {
 public:
  explicit KeyStream(const Secret& key) : cipher_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    constexpr std::array<std::uint8_t, 16> kCounterAndNonce{};
    expect(
        cipher_ != nullptr && EVP_EncryptInit_ex(cipher_.get(), EVP_chacha20(), nullptr, key.bytes().data(), kCounterAndNonce.data()) == 1,
        "masks: expected ChaCha20 from the cryptographic library, found none");
  }

  void next(std::span<std::uint8_t> bytes) {
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    int written = 0;
    expect(EVP_EncryptUpdate(cipher_.get(), bytes.data(), &written, bytes.data(), static_cast<int>(bytes.size())) == 1,
           "masks: expected ChaCha20 from the cryptographic library, found a failure");
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher_;
};

template <class Apply>
void with_mask(const Secret& key, std::span<std::uint64_t> values, const Apply& apply) {
  KeyStream stream(key);
  std::array<std::uint64_t, 1024> block{};
  for (std::size_t start = 0; start < values.size(); start += block.size()) {
    const std::size_t count = std::min(block.size(), values.size() - start);
    stream.next({reinterpret_cast<std::uint8_t*>(block.data()), count * sizeof(std::uint64_t)});
    for (std::size_t i = 0; i < count; ++i) apply(values[start + i], block[i]);
  }
}

}  // namespace

void add_mask(const Secret& key, std::span<std::uint64_t> values) {
  with_mask(key, values, [](std::uint64_t& value, std::uint64_t mask) { value += mask; });
}

void subtract_mask(const Secret& key, std::span<std::uint64_t> values) {
  with_mask(key, values, [](std::uint64_t& value, std::uint64_t mask) { value -= mask; });
}

void fill_from(const Secret& key, std::span<std::uint8_t> bytes) {
  KeyStream stream(key);
  constexpr std::size_t kBlock = 1U << 20U;
  for (std::size_t start = 0; start < bytes.size(); start += kBlock) {
    stream.next(bytes.subspan(start, std::min(kBlock, bytes.size() - start)));
  }
}

}  // namespace paretofl
