#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <set>

#include "apps/commands.h"
#include "apps/model_training.h"
#include "paretofl/alignment/language_losses.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/text/held_out.h"
#include "paretofl/text/text_documents.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/training_tokens.h"

namespace paretofl {
namespace {

constexpr const char* kTrainLmFooter =
    R"(FILE is a text, or pairs {"chosen": "..", "rejected": ".."} as JSON lines (name ending in .jsonl or .jsonl.gz), of which
the chosen dialogues are used; either may be gzip-compressed. The documents of a text are separated by blank lines. Of every
held_out_every distinct prompts, or documents of a text, the last is held out.
Documents are encoded, end with the vocabulary's end of sequence (as every turn of an assistant does), and follow one another
in windows of `context` tokens. Trains every parameter by AdamW on the loss of the next token.
Leaves in DIR a model that `generate` reads (config.json, model.safetensors, the tokenizer), training.json and checkpoints/.
training.json, and the output with --json: parameters; train_tokens, held_out_tokens that are predicted; train_loss (mean over
the last epoch's steps), held_out_loss (natural logarithm, per token), held_out_perplexity; steps; seconds since the start
or --resume; epochs, the same figures of each.

--set: model.hidden_size, .intermediate_size, .layers, .heads, .key_value_heads, .positions, .tied of a new model;
training.epochs, .batch (windows), .part, .learning_rate, .final_rate, .warm_up, .weight_decay, .clip; context,
held_out_every, checkpoint_every.

Example: a small model of the dialogues that people preferred
  paretofl train-lm --data helpful.jsonl.gz --tokenizer vocabulary.model --dir runs/lm --set training.epochs=4
Exit codes: 0 done, 1 bad input, 130 stopped by Ctrl-C after a checkpoint (SIGTERM: 143))";

struct Document {
  std::string text;
  std::string prompt;  ///< what tells whether it is held out: of a plain text all of it
};

bool holds_pairs(const std::string& file) {
  for (const char* other : {".json", ".csv", ".tsv", ".parquet"}) {
    for (const std::string& name : {std::string(other), std::string(other) + ".gz"}) {
      expect(!file.ends_with(name), "--data: expected a text, or pairs as JSON lines (.jsonl), found {}", file);
    }
  }
  return file.ends_with(".jsonl") || file.ends_with(".jsonl.gz");
}

std::vector<Document> documents_of(const std::string& file) {
  std::vector<Document> documents;
  if (holds_pairs(file)) {
    for (const PreferencePair& pair : read_preference_pairs(file)) documents.push_back({pair.prompt + pair.chosen, pair.prompt});
    return documents;
  }
  for (const std::string& document : text_documents(read_text(file))) documents.push_back({document, document});
  return documents;
}

void train_language_model(const ModelTrainingArguments& arguments) {
  const auto options = read_options<ModelTrainingOptions>(overrides_of(arguments), "");
  ModelTraining training(arguments, options, DecoderHead::kLanguage);
  std::vector<Document> documents;
  std::set<std::string> outside;  // of any file, so that no prompt is on both sides
  for (const std::string& file : arguments.data) {
    HeldOut held_out(options.held_out_every);
    for (Document& document : documents_of(file)) {
      held_out(document.prompt);
      documents.push_back(std::move(document));
    }
    outside.insert(held_out.texts().begin(), held_out.texts().end());
  }
  std::vector<TokenIds> train, rest;
  for (const Document& document : documents) {
    (outside.contains(document.prompt) ? rest : train).push_back(dialogue_tokens(training.tokenizer(), document.text));
  }
  if (rest.empty()) {
    warn(
        "warning: train-lm: expected at least {} distinct prompts or documents in a file, of which one is held out; found fewer: there "
        "will be no held_out_loss",
        options.held_out_every);
  }
  const auto context = static_cast<std::size_t>(options.context);
  const NextTokenLoss loss(training.model(), token_windows(train, context));
  const NextTokenLoss held_out_loss(training.model(), token_windows(rest, context));
  expect(loss.examples() > 0, "train-lm: expected at least two tokens to train on, found fewer");

  const auto evaluate = [&](std::span<const float> theta) {
    nlohmann::ordered_json row = nlohmann::ordered_json::object();
    if (held_out_loss.examples() == 0) return row;
    const double mean = held_out_loss.mean(theta, training.pool());
    row = {{"held_out_loss", mean}, {"held_out_perplexity", std::exp(mean)}};
    return row;
  };
  nlohmann::ordered_json result{
      {"parameters", training.theta().size()}, {"train_tokens", loss.tokens()}, {"held_out_tokens", held_out_loss.tokens()}};
  result.update(training.train(loss, evaluate));
  training.report(result);
}

}  // namespace

void add_train_lm(CLI::App& app) {
  auto* command = app.add_subcommand("train-lm", "Train a small language model on texts");
  auto arguments = std::make_shared<ModelTrainingArguments>();
  arguments->add_to(*command);
  command->footer(kTrainLmFooter);
  command->callback([arguments] { train_language_model(*arguments); });
}

}  // namespace paretofl
