#include <fmt/format.h>

#include <cmath>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/input_text.h"
#include "paretofl/classifiers/sequence_classifier.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/runs/config.h"
#include "paretofl/text/json_object.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/training_tokens.h"

namespace paretofl {
namespace {

constexpr const char* kScoreFooter = R"(FILE holds one JSON object per line. Prints {"score": x} for each, in order.

--reward-model DIR  a published sequence classifier with one output: config.json, model.safetensors, a tokenizer. Rows are
                    {"ids": [..]}, tokens as they are, or {"prompt": "..", "completion": ".."}, which its tokenizer
                    encodes with its special tokens and end of sequence; of a text that is too long the end is used. The score is
                    the raw output.
--reward NAME       a reward by name, with its options by --set. Rows are {"prompt": "..", "completion": ".."}, and
                    "reference" where the reward compares with one. `paretofl list rewards` shows them.

Example: how close an answer is to a length in characters
  echo '{"prompt": "Name a colour.", "completion": "Red."}' > answers.jsonl
  paretofl score --reward length --set target=10 answers.jsonl)";

struct ScoreArguments {
  std::string model;
  std::string reward;
  std::vector<std::string> overrides;
  std::string device = "cpu";
  std::string file;
};

// Calls visit with the object of every line that is not blank.
template <class Visit>
void for_each_row(const std::string& file, const Visit& visit) {
  const std::string text = read_input(file, "a JSON object per line");
  for (std::size_t begin = 0, line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string row = text.substr(begin, end - begin);
    begin = end + 1;
    if (row.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string where = fmt::format("{}:{}", file, line);
    const nlohmann::json json = parse_json(row, where);
    visit(JsonObject(json, where));
  }
}

std::vector<double> model_scores(const ScoreArguments& arguments) {
  const auto classifier = load_sequence_classifier(arguments.model, {.device = arguments.device});
  const auto positions = static_cast<std::size_t>(classifier->config().max_position_embeddings);
  std::unique_ptr<const Tokenizer> tokenizer;  // rows of ids need none
  std::vector<TokenIds> sequences;
  for_each_row(arguments.file, [&](const JsonObject& row) {
    if (!row.has("ids")) {
      if (tokenizer == nullptr) tokenizer = load_tokenizer(arguments.model);
      sequences.push_back(ended_tokens(*tokenizer, row.text("prompt") + row.text("completion"), positions));
      return;
    }
    const nlohmann::json& list = row.list("ids");
    expect(!list.empty() && list.size() <= positions, "{}: expected 1 to {} ids, found {}", row.where(), positions, list.size());
    TokenIds& ids = sequences.emplace_back();
    for (const nlohmann::json& id : list) {
      const bool fits = id.is_number_unsigned() && id.get<std::uint64_t>() < static_cast<std::uint64_t>(classifier->config().vocab_size);
      expect(fits, "{}: expected ids from 0 to {}, found {}", row.where(), classifier->config().vocab_size - 1,
             id.is_number() ? id.dump() : id.type_name());
      ids.push_back(id.get<TokenId>());
    }
  });
  return classifier->score(sequences);
}

/// The scores of all answers. An error that an answer is the reason for begins with its place.
std::vector<double> scores_at(const Reward& reward, std::span<const Answer> answers, const std::vector<std::string>& places) {
  try {
    return reward.scores(answers);
  } catch (const Error& error) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      try {
        reward.scores(answers.subspan(i, 1));
      } catch (const Error& own) {
        throw Error(fmt::format("{}: {}", places[i], own.what()));
      }
    }
    throw;
  }
}

std::vector<double> reward_scores(const ScoreArguments& arguments) {
  Component component{arguments.reward, {}};
  apply_overrides(component.settings, arguments.overrides);
  const std::unique_ptr<Reward> reward = make_reward(component);
  std::vector<Answer> answers;
  std::vector<std::string> places;
  for_each_row(arguments.file, [&](const JsonObject& row) {
    answers.push_back({.prompt = row.text("prompt"), .completion = row.text("completion"), .reference = row.text("reference", "")});
    places.push_back(row.where());
  });
  return scores_at(*reward, answers, places);
}

void print_scores(const ScoreArguments& arguments) {
  expect(arguments.model.empty() != arguments.reward.empty(), "score: expected either --reward-model or --reward, found {}",
         arguments.model.empty() ? "neither" : "both");
  expect(arguments.model.empty() || arguments.overrides.empty(), "score: expected --set with --reward alone, found it with --reward-model");
  for (const double score : arguments.model.empty() ? reward_scores(arguments) : model_scores(arguments)) {
    expect(std::isfinite(score), "score: expected finite scores, found {}", score);
    write_output("{}\n", nlohmann::json{{"score", score}}.dump());
  }
}

}  // namespace

void add_score(CLI::App& app) {
  auto* command = app.add_subcommand("score", "Score completions by a reward model or another reward");
  auto arguments = std::make_shared<ScoreArguments>();
  command->add_option("--reward-model", arguments->model, "folder of a sequence classifier")->type_name("DIR");
  command->add_option("--reward", arguments->reward, "name of a reward")->type_name("NAME");
  command->add_option("--set", arguments->overrides, "an option of the reward: key=value; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--device", arguments->device, "device to compute on: cpu, cuda or cuda:N (default: cpu)")->type_name("NAME");
  command->add_option("FILE", arguments->file, "JSON lines, or - for standard input")->required()->type_name("");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kScoreFooter);
  command->callback([arguments] { print_scores(*arguments); });
}

}  // namespace paretofl
