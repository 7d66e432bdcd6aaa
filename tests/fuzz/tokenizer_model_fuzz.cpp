#include <cstdint>
#include <cstdlib>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/sentencepiece_tokenizer.h"

/// SentencePiece models: whatever the bytes, a model that encodes within its vocabulary, or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  try {
    const auto tokenizer = paretofl::parse_sentencepiece_model(std::string(reinterpret_cast<const char*>(data), size), "fuzz", {});
    for (const char* text : {"", " ", "ab  abc </s> x\t\r\n", "caf\xc3\xa9 e\xcc\x81 \xe2\x96\x81\xff\xc3 \xef\xac\x81"}) {
      const paretofl::TokenIds ids = tokenizer->encode(text, true);
      for (const paretofl::TokenId id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= tokenizer->vocabulary_size()) std::abort();
      }
      tokenizer->decode(ids, true);
    }
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  return 0;
}
