#include "paretofl/completions/stop_strings.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "paretofl/data/listed_names.h"
#include "paretofl/tokenizers/completion_text.h"

namespace paretofl {
namespace {

/// Whether a special token stands in a text, which completions are decoded without.
bool holds_special(const Tokenizer& tokenizer, std::string_view text) {
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::size_t size = 1; size <= text.size() - begin; ++size) {
      const std::optional<TokenId> id = tokenizer.id_of(text.substr(begin, size));
      if (id && tokenizer.decode({&*id, 1}, true).empty() && !tokenizer.decode({&*id, 1}).empty()) return true;
    }
  }
  return false;
}

bool holds_any(const std::string& text, const std::vector<std::string>& strings) {
  return std::any_of(strings.begin(), strings.end(), [&](const std::string& string) { return text.find(string) != std::string::npos; });
}

}  // namespace

StopStrings::StopStrings(const std::string& listed, std::shared_ptr<const Tokenizer> tokenizer)
    : strings_(listed_names("workload.stop_strings", listed)), tokenizer_(std::move(tokenizer)) {
  for (const std::string& string : strings_) {
    if (holds_special(*tokenizer_, string)) special_.push_back(string);
  }
}

CompletionEnds StopStrings::ends() const {
  if (strings_.empty()) return {};
  return [strings = strings_, special = special_, tokenizer = tokenizer_](std::span<const TokenId> completion) {
    return holds_any(decode_drawn(*tokenizer, completion), strings) ||
           (!special.empty() && holds_any(decode_drawn(*tokenizer, completion, false), special));
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
