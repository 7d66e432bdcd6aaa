#include <fmt/format.h>

#include <memory>
#include <set>

#include "apps/commands.h"
#include "apps/model_training.h"
#include "paretofl/alignment/language_losses.h"
#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/text/held_out.h"
#include "paretofl/tokenizers/training_tokens.h"

namespace paretofl {
namespace {

constexpr const char* kTrainRewardFooter =
    R"(FILE holds pairs {"chosen": "..", "rejected": ".."} as JSON lines, plain or gzip-compressed. Of every held_out_every
distinct prompts of a file the last is held out with all its pairs. A text is encoded with the special
tokens that the vocabulary adds and its end of sequence; of a text of more than `context` tokens the last ones are used.
Its score is read at the last token. Trains every parameter by AdamW on
-log sigmoid(chosen - rejected - margin) + centering (chosen + rejected)^2. --model is a language model, whose language head
is replaced by a new score head, or a reward model to continue from.
Leaves in DIR a model that `score` reads (config.json, model.safetensors, the tokenizer), training.json and checkpoints/.
training.json, and the output with --json: parameters; train_pairs, held_out_pairs; train_loss (mean over the last epoch's
steps); on the held-out pairs held_out_loss, held_out_accuracy (share of pairs whose chosen text scores higher),
longer_accuracy (the same of a score that is the length in tokens), score_mean and score_deviation (of chosen and
rejected texts together); steps; seconds since the start or --resume; epochs, the same figures of each.

--set: as train-lm (training.batch counts pairs), loss.margin, loss.centering.

Example: a reward model on the trunk of a language model
  paretofl train-reward --data helpful.jsonl.gz --model runs/lm --dir runs/helpful --set training.epochs=1
Exit codes: 0 done, 1 bad input, 130 stopped by Ctrl-C after a checkpoint (SIGTERM: 143))";

struct RewardTrainingOptions {
  ModelTrainingOptions shared;
  PairLoss::Options loss;

  void describe(OptionVisitor& visit) {
    shared.describe(visit);
    visit.group("loss", [this](OptionVisitor& group) { loss.describe(group); });
  }
};

void train_reward_model(const ModelTrainingArguments& arguments) {
  const auto options = read_options<RewardTrainingOptions>(overrides_of(arguments), "");
  ModelTraining training(arguments, options.shared, DecoderHead::kScore);
  const auto context = static_cast<std::size_t>(options.shared.context);
  std::vector<PreferencePair> pairs;
  std::set<std::string> outside;  // of any file, so that no prompt is on both sides
  for (const std::string& file : arguments.data) {
    HeldOut held_out(options.shared.held_out_every);
    for (PreferencePair& pair : read_preference_pairs(file)) {
      held_out(pair.prompt);
      pairs.push_back(std::move(pair));
    }
    outside.insert(held_out.texts().begin(), held_out.texts().end());
  }
  std::vector<RankedSequences> train, rest;
  std::size_t equal = 0;
  for (const PreferencePair& pair : pairs) {
    const auto tokens = [&](const std::string& answer) { return ended_tokens(training.tokenizer(), pair.prompt + answer, context); };
    RankedSequences ranked{tokens(pair.chosen), tokens(pair.rejected)};
    if (ranked.chosen == ranked.rejected) {
      ++equal;
    } else {
      (outside.contains(pair.prompt) ? rest : train).push_back(std::move(ranked));
    }
  }
  expect(!train.empty(), "train-reward: expected pairs of different texts to train on, found none, and {} of equal ones", equal);
  expect(!rest.empty(), "train-reward: expected at least {} distinct prompts, found fewer", options.shared.held_out_every);

  const auto evaluate = [&](std::span<const float> theta) {
    const RankingFigures figures = ranking_figures(*training.model(), rest, theta, training.pool());
    return nlohmann::ordered_json{{"held_out_loss", figures.loss},
                                  {"held_out_accuracy", figures.accuracy},
                                  {"longer_accuracy", figures.longer_accuracy},
                                  {"score_mean", figures.mean_score},
                                  {"score_deviation", figures.score_deviation}};
  };
  nlohmann::ordered_json result{{"parameters", training.theta().size()}, {"train_pairs", train.size()}, {"held_out_pairs", rest.size()}};
  if (equal > 0) result["pairs_of_equal_texts"] = equal;
  result.update(training.train(PairLoss(options.loss, training.model(), std::move(train)), evaluate));
  training.report(result);
}

}  // namespace

void add_train_reward(CLI::App& app) {
  auto* command = app.add_subcommand("train-reward", "Train a reward model on pairs of a preferred and a rejected text");
  auto arguments = std::make_shared<ModelTrainingArguments>();
  arguments->add_to(*command);
  command->footer(kTrainRewardFooter);
  command->callback([arguments] { train_reward_model(*arguments); });
}

}  // namespace paretofl
