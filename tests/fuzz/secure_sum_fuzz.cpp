// Messages of a secure sum, as they come from others, in the record of a state: each is taken whole, or is an Error.
#include <cstdint>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/privacy/summed_values.h"
#include "paretofl/secure_sums/masking_client.h"
#include "paretofl/wire/message.h"
#include "tests/wire/sealed.h"

namespace {

constexpr std::uint16_t kStateMessage = 3;

/// Uses the record of this name; bad ones are Errors.
template <class Use>
void tried(const paretofl::Record& all, const char* name, const Use& use) {
  try {
    use(all.record(name));
  } catch (const paretofl::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  using namespace paretofl;
  Record all;
  try {
    all = decode_state(sealed(kStateMessage, std::as_bytes(std::span(data, size))));
  } catch (const Error&) {
    return 0;
  }
  tried(all, "keys", [](const Record& record) { MaskingKeys::load(record); });
  tried(all, "revealed", [](const Record& record) { RevealedShares::load(record); });
  tried(all, "spec", [](const Record& record) { load_sum_spec(record); });
  MaskingClient client(0, Secret());
  client.begin("sum", "once");
  std::vector<std::uint64_t> values(3);
  tried(all, "setup", [&](const Record& record) { client.share(MaskingSetup::load(record)); });
  tried(all, "shares", [&](const Record& record) { client.mask(SealedShares::load(record), values); });
  tried(all, "survivors", [&](const Record& record) { client.reveal(Survivors::load(record)); });
  return 0;
}
