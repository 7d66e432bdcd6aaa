#include "paretofl/serve/access.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"

namespace paretofl {

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

bool is_own_host(std::string_view field) {
  if (const std::size_t colon = field.rfind(':'); colon != std::string_view::npos && !field.ends_with(']')) {
    const std::string_view port = field.substr(colon + 1);
    if (!std::all_of(port.begin(), port.end(), is_digit)) return false;
    field = field.substr(0, colon);
  }
  return field == "[::1]" || (field.find(':') == std::string_view::npos && is_loopback(field));
}

std::string_view bearer_token(std::string_view field) {
  constexpr std::string_view kScheme = "Bearer ";
  return field.starts_with(kScheme) ? field.substr(kScheme.size()) : std::string_view();
}

bool same_secret(std::string_view a, std::string_view b) {
  const std::string x = sha256_hex(std::as_bytes(std::span(a))), y = sha256_hex(std::as_bytes(std::span(b)));
  unsigned difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) difference |= static_cast<unsigned>(x[i] ^ y[i]);
  return difference == 0;
}

void expect_token(std::string_view token) {
  constexpr std::size_t kLeast = 8, kMost = 256;
  expect(token.size() >= kLeast && token.size() <= kMost, "--token: expected {} to {} characters, found {}", kLeast, kMost, token.size());
  const auto usable = [](char c) { return is_digit(c) || is_letter(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos; };
  expect(std::all_of(token.begin(), token.end(), usable), "--token: expected letters, digits and -._~+/=, found another character");
}

}  // namespace paretofl
