#include "paretofl/completions/stop_strings.h"

#include <algorithm>

#include "paretofl/data/listed_names.h"
#include "paretofl/tokenizers/completion_text.h"

namespace paretofl {

StopStrings::StopStrings(const std::string& listed, std::shared_ptr<const Tokenizer> tokenizer)
    : strings_(listed_names("workload.stop_strings", listed)), tokenizer_(std::move(tokenizer)) {}

CompletionEnds StopStrings::ends() const {
  if (strings_.empty()) return {};
  return [strings = strings_, tokenizer = tokenizer_](std::span<const TokenId> completion) {
    const std::string text = decode_drawn(*tokenizer, completion);
    return std::any_of(strings.begin(), strings.end(), [&](const std::string& stop) { return text.find(stop) != std::string::npos; });
  };
}

std::string StopStrings::in_front(std::string text) const {
  std::size_t end = text.size();
  for (const std::string& stop : strings_) end = std::min(end, text.find(stop));
  text.resize(end);
  return text;
}

void describe_stop_strings(OptionVisitor& visit, std::string& field) {
  visit.text(
      "stop_strings", field,
      "texts that end a completion, separated by commas; rewards read what stands in front of them; the model's own ends of sequence "
      "count in any case");
}

}  // namespace paretofl
