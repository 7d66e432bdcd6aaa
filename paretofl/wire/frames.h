#pragma once

#include <asio/awaitable.hpp>
#include <asio/local/stream_protocol.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace paretofl {

using LocalSocket = asio::local::stream_protocol::socket;

/// One message between two processes: its length as a u64, then its bytes. Throws std::system_error where the other side is gone.
asio::awaitable<void> write_frame(LocalSocket& socket, std::span<const std::byte> bytes);
/// Takes memory as bytes come, whatever length is announced.
asio::awaitable<std::vector<std::byte>> read_frame(LocalSocket& socket);

}  // namespace paretofl
