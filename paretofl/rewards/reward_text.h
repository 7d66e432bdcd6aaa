#pragma once

#include <string>

#include "paretofl/registry/options.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// How a reward model is given a prompt and its completion. The defaults are those of `train-reward`'s models. What the cards of published
/// ones say:
/// - gpt2-large-helpful-reward_model and gpt2-large-harmless-reward_model of Ray2333: pair, nothing appended; the prompt is a dialogue of
///   hh-rlhf, which ends with "\n\nAssistant:";
/// - reward-model-deberta-v3-large-v2 of OpenAssistant: pair, nothing appended; the prompt is the question alone, by
///   `prompt_format = "question"`.
struct RewardTextOptions {
  bool append_eos = true;
  bool pair = false;
  std::string prompt_format = "as_written";

  void describe(OptionVisitor& visit);
  /// Throws Error unless the options go together.
  void check() const;
};

/// What a reward model reads, of at most `most` tokens. Without `pair` prompt and completion are one text, encoded with special tokens, and
/// with `append_eos` ended by the vocabulary's end of sequence; too long ones lose their beginning (ended_tokens()). With `pair` they are
/// the two texts of a pair (pair_tokens()), such as [CLS] prompt [SEP] completion [SEP], the completion without white space in front.
///
/// `prompt_format = "question"` gives the last question alone: what stands between the last "\n\nHuman:" of the prompt and the
/// "\n\nAssistant:" behind it, without white space around; a prompt that has no "\n\nHuman:" stays as it is.
TokenIds reward_tokens(const Tokenizer& tokenizer, const Answer& answer, const RewardTextOptions& options, std::size_t most);

}  // namespace paretofl
