#include "paretofl/rewards/reward_text.h"

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/training_tokens.h"

namespace paretofl {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

std::string_view without_white_space_in_front(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhite);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::string_view last_question(std::string_view prompt) {
  constexpr std::string_view kHuman = "\n\nHuman:";
  const std::size_t human = prompt.rfind(kHuman);
  if (human == std::string_view::npos) return prompt;
  std::string_view question = prompt.substr(human + kHuman.size());
  question = without_white_space_in_front(question.substr(0, question.find("\n\nAssistant:")));
  return question.substr(0, question.find_last_not_of(kWhite) + 1);
}

}  // namespace

void RewardTextOptions::describe(OptionVisitor& visit) {
  visit.boolean("append_eos", append_eos,
                "end the text with the vocabulary's end of sequence, as for models of train-reward; published models mostly get none");
  visit.boolean("pair", pair, "encode prompt and completion as the two texts of a pair, such as [CLS] prompt [SEP] completion [SEP]");
  visit.choice("prompt_format", prompt_format, {"as_written", "question"},
               "as_written: the prompt as the policy has it; question: of a dialogue the last question alone, without its marks");
}

void RewardTextOptions::check() const {
  expect(!pair || !append_eos,
         "reward_model: expected append_eos = false with pair = true, where the vocabulary says what ends a pair; found true");
}

TokenIds reward_tokens(const Tokenizer& tokenizer, const Answer& answer, const RewardTextOptions& options, std::size_t most) {
  const std::string_view prompt = options.prompt_format == "question" ? last_question(answer.prompt) : std::string_view(answer.prompt);
  if (options.pair) return pair_tokens(tokenizer, prompt, without_white_space_in_front(answer.completion), most);
  return ended_tokens(tokenizer, std::string(prompt) + answer.completion, most, options.append_eos);
}

}  // namespace paretofl
