#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace paretofl {

/// 32 secret bytes, which are wiped from memory when they go.
class Secret {
 public:
  static constexpr std::size_t kSize = 32;

  Secret() = default;
  /// Throws Error unless there are kSize bytes.
  explicit Secret(std::span<const std::uint8_t> bytes);
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret();

  std::span<const std::uint8_t, kSize> bytes() const { return bytes_; }
  std::span<std::uint8_t, kSize> bytes() { return bytes_; }

  /// Another secret, that follows from this one and `purpose`: HKDF-SHA256 (RFC 5869) without salt. Secrets for different purposes tell
  /// nothing of each other.
  Secret derive(std::string_view purpose) const;

  /// From the operating system's generator. Throws Error where that fails.
  static Secret random();

  bool operator==(const Secret&) const = default;

 private:
  std::array<std::uint8_t, kSize> bytes_{};
};

}  // namespace paretofl
