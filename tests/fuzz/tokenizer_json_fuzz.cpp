#include <array>
#include <cstdint>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/tokenizers/tokenizer_config.h"
#include "paretofl/tokenizers/tokenizer_json.h"

namespace {

template <class Work>
void try_to(const Work& work) {
  try {
    work();
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
}

// What a tokenizer makes of texts, and back; ids of its own making must be its own.
void use(const paretofl::Tokenizer& tokenizer) {
  constexpr std::array kTexts = {"", " ", "ab  abc\n<s>x\t\r\n",
                                 "caf\xc3\xa9 e\xcc\x81 \xe2\x96\x81\xff\xc3 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7"};
  for (const char* text : kTexts) {
    try_to([&] {
      const paretofl::TokenIds ids = tokenizer.encode(text, true);
      for (const paretofl::TokenId id : ids) try_to([&] { tokenizer.decode({&id, 1}); });
      tokenizer.decode(ids, true);
    });
  }
}

}  // namespace

/// tokenizer.json, or the text of a merges.txt behind a zero byte after a vocab.json; and the files beside a vocabulary.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = text.find('\0');
  try_to([&] {
    const nlohmann::json json = paretofl::parse_json(text.substr(0, zero), "fuzz");
    use(zero == std::string::npos ? *paretofl::parse_tokenizer_json(json, "fuzz", {})
                                  : *paretofl::parse_vocab_and_merges(json, text.substr(zero + 1), "fuzz", {}));
  });
  // A tokenizer_config.json, or an added_tokens.json behind a zero byte after one, beside a small vocabulary.
  try_to([&] {
    paretofl::TokenizerConfig config = paretofl::parse_tokenizer_config(paretofl::parse_json(text.substr(0, zero), "fuzz"), "fuzz");
    if (zero != std::string::npos) {
      paretofl::take_added_tokens(paretofl::parse_json(text.substr(zero + 1), "fuzz"), "fuzz", config);
    }
    use(*paretofl::parse_vocab_and_merges({{"a", 0}, {"b", 1}, {"ab", 2}}, "a b", "fuzz", config));
  });
  return 0;
}
