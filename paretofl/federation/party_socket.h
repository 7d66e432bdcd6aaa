#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace paretofl {

/// From the bytes of a request to those of its reply. Must not throw.
using Answerer = std::function<std::vector<std::byte>(std::span<const std::byte>)>;

/// Answers requests, one frame each (wire/frames.h), on a Unix socket that only its owner may open (mode 0600), until SIGINT, SIGTERM or
/// SIGHUP comes; a request that is being answered is finished first. `on_ready` is called once the socket takes connections. Any
/// number of connections may be open; requests are answered one at a time. A socket that a killed process left is replaced. Returns the
/// signal. Throws Error where the path can't be a socket, such as one that another process listens on.
int serve_party_socket(const std::filesystem::path& path, const Answerer& answer, const std::function<void()>& on_ready);

}  // namespace paretofl
