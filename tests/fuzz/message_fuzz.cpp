// Bytes as a whole message, and as a payload behind a header that fits it (the first byte picks the kind):
// decoding throws an Error of one line or returns a message that has exactly these bytes.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"
#include "tests/wire/sealed.h"

namespace {

template <class Decode>
void check(std::span<const std::byte> bytes, Decode decode) {
  using namespace paretofl;
  try {
    const auto message = decode(bytes);
    const std::vector<std::byte> again = encode(message);
    if (encoded_size(message) != again.size() || !std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  } catch (const Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

void check_all(std::span<const std::byte> bytes) {
  check(bytes, paretofl::decode_envelope);
  check(bytes, paretofl::decode_reply);
  check(bytes, paretofl::decode_state);
  check(bytes, paretofl::decode_party_request);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const auto bytes = std::as_bytes(std::span(data, size));
  check_all(bytes);
  if (size > 0) check_all(paretofl::sealed(static_cast<std::uint16_t>(1 + data[0] % 4), bytes.subspan(1)));
  return 0;
}
