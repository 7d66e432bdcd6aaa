#include "paretofl/wire/frames.h"

#include <algorithm>
#include <array>
#include <asio/buffer.hpp>
#include <asio/read.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

namespace paretofl {

asio::awaitable<void> write_frame(LocalSocket& socket, std::span<const std::byte> bytes) {
  const std::uint64_t length = bytes.size();
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(&length, sizeof length), asio::buffer(bytes.data(), bytes.size())};
  co_await asio::async_write(socket, buffers, asio::use_awaitable);
}

asio::awaitable<std::vector<std::byte>> read_frame(LocalSocket& socket) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  std::uint64_t length = 0;
  co_await asio::async_read(socket, asio::buffer(&length, sizeof length), asio::use_awaitable);
  std::vector<std::byte> bytes;
  while (bytes.size() < length) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, length - begin)));
    co_await asio::async_read(socket, asio::buffer(bytes.data() + begin, bytes.size() - begin), asio::use_awaitable);
  }
  co_return bytes;
}

}  // namespace paretofl
