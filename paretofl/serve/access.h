#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// Whether only programs of this machine reach a server that listens on `host`: localhost, ::1 and 127.*.
bool is_loopback(std::string_view host);

/// Whether the field Host of a request to a server on a loopback address names that machine. Another name, which someone else may let
/// resolve to this machine, is not accepted (DNS rebinding). A port may follow.
bool is_own_host(std::string_view field);

/// The token in the field Authorization, "Bearer TOKEN"; empty where there is none.
std::string_view bearer_token(std::string_view field);

/// Whether two texts are equal, in a time that does not tell where they differ.
bool same_secret(std::string_view a, std::string_view b);

/// Throws Error unless a token can be used: 8 to 256 letters, digits, or one of . _ ~ + / = and the hyphen.
void expect_token(std::string_view token);

}  // namespace paretofl
