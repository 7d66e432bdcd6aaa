#include "apps/model_training.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <sstream>

#include "apps/numbers.h"
#include "apps/seed_option.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/language/model_folder.h"
#include "paretofl/language/new_decoder.h"
#include "paretofl/model_files/stored_head.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/interrupt.h"
#include "paretofl/runs/progress_bar.h"

namespace paretofl {

namespace fs = std::filesystem;

constexpr const char* kCheckpoints = "checkpoints";

void ModelTrainingArguments::add_to(CLI::App& command) {
  command.add_option("--data", data, "files to train on; may be given again")->required()->allow_extra_args(false)->type_name("FILE");
  command.add_option("--tokenizer", tokenizer, "file or folder of the tokenizer (default: that of --model)")->type_name("FILE|DIR");
  command.add_option("--model", model, "folder of the model to start from (default: a new one, of --set model.KEY)")->type_name("DIR");
  command.add_option("--dir", directory, "folder of the trained model")->required()->type_name("DIR");
  command.add_option("--set", overrides, "key=value; may be given again")->allow_extra_args(false)->type_name("KEY=VALUE");
  add_seed(command, seed, "seed of the initial parameters and of the order of the examples (default: 1)");
  command.add_option("--threads", threads, "number of threads; the result does not depend on it (default: 2)")
      ->transform(whole_number())
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command.add_option("--device", device, "device to compute on: cpu, cuda or cuda:N (default: cpu)")->type_name("NAME");
  command.add_flag("--resume", resume, "continue from the newest checkpoint in the folder; all other arguments must be the same");
  command.add_flag("--json", json, "print training.json at the end instead of the folder's name");
}

void ModelTrainingOptions::describe(OptionVisitor& visit) {
  visit.group("model", [this](OptionVisitor& group) { model.describe(group); });
  visit.group("training", [this](OptionVisitor& group) { training.describe(group); });
  visit.integer("context", context, 2, kMaxInt, "tokens of a sequence at most");
  visit.integer("held_out_every", held_out_every, 2, kMaxInt, "of so many distinct prompts or documents of a file the last is held out");
  visit.integer("checkpoint_every", checkpoint_every, 1, kMaxInt, "steps between checkpoints");
}

namespace {

/// Whether the folder holds nothing that a training could lose: it is absent, or empty but for what one leaves that ended before its first
/// checkpoint.
bool is_free(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return true;
  expect(fs::is_directory(folder, error), "{}: expected a folder, found a file", folder.string());
  bool free = true;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path name = entry->path().filename();
    free = free && (name == FolderLock::kFile || (name == kCheckpoints && fs::is_empty(entry->path(), error)));
  }
  expect(!error, "{}: expected to look into it, found: {}", folder.string(), error.message());
  return free;
}

/// Throws, naming the first argument that differs, unless both texts of ModelTraining::fingerprint are the same.
void expect_same_arguments(const std::string& before, const std::string& now, const fs::path& folder) {
  std::istringstream first(before), second(now);
  std::string expected, found;
  while (std::getline(first, expected, ' ') && std::getline(second, found, ' ') && expected == found) {
  }
  expect(before == now, "--resume: expected the arguments and data of the training in {}, {}, found {}", folder.string(),
         expected.empty() ? "no more" : expected, found.empty() ? "no more" : found);
}

/// Throws unless the folder is free, or the training in it is to go on.
void check_folder(const ModelTrainingArguments& arguments) {
  const fs::path folder = arguments.directory;
  expect(!folder.empty(), "--dir: expected the name of a folder, found nothing");
  std::error_code error;
  const bool itself = !arguments.model.empty() && fs::equivalent(folder, arguments.model, error);
  expect(!itself, "--dir: expected another folder than that of --model, found {}", folder.string());
  if (!is_free(folder)) {
    expect(arguments.resume, "{}: expected a new or empty folder, or --resume, found files in it", folder.string());
    const fs::path checkpoints = folder / kCheckpoints;
    expect(fs::is_directory(checkpoints, error) && !fs::is_empty(checkpoints, error),
           "--resume: expected a checkpoint in {}, found none; what is in {} would be lost", checkpoints.string(), folder.string());
  }
}

}  // namespace

Settings overrides_of(const ModelTrainingArguments& arguments) {
  Settings settings;
  apply_overrides(settings, arguments.overrides);
  expect(arguments.model.empty() || !settings.tables.contains("model"),
         "--set: expected model keys only for a new model, found some and --model {}", arguments.model);
  return settings;
}

ModelTraining::ModelTraining(const ModelTrainingArguments& arguments, const ModelTrainingOptions& options, DecoderHead head)
    : arguments_(arguments), options_(options), head_(head), pool_(arguments.threads) {
  check_folder(arguments);
  DataLedger::begin({});
  const char* command = head == DecoderHead::kLanguage ? "train-lm" : "train-reward";
  expect(!arguments.tokenizer.empty() || !arguments.model.empty(), "{}: expected --tokenizer or --model, found neither", command);
  tokenizer_ = load_tokenizer(arguments.tokenizer.empty() ? arguments.model : arguments.tokenizer);
  LanguageModelConfig config =
      arguments.model.empty() ? new_decoder_config(options.model, *tokenizer_) : read_language_model_config(arguments.model);
  if (!arguments.model.empty() && head == DecoderHead::kLanguage) config = with_stored_head(std::move(config), arguments.model);
  if (!arguments.model.empty() && !arguments.tokenizer.empty()) take_special_tokens(config, *tokenizer_);
  expect(static_cast<std::int64_t>(tokenizer_->vocabulary_size()) <= config.vocab_size,
         "{}: expected a tokenizer of at most {} tokens, as many as {} has, found {}", command, config.vocab_size, arguments.model,
         tokenizer_->vocabulary_size());
  expect(options.context <= config.max_position_embeddings, "context: expected at most {}, the model's positions, found {}",
         config.max_position_embeddings, options.context);
  model_ = make_trainable_decoder(config, head, {.device = arguments.device});
  theta_.resize(model_->layout()->size());
  const Random random({.seed = arguments.seed}, "parameters");
  if (arguments.model.empty()) {
    model_->initialize(random, theta_);
  } else {
    model_->load(arguments.model, random, theta_);
  }
}

// What the result depends on: a checkpoint must have been made under the same.
std::string ModelTraining::fingerprint(const TrainingLoss& loss) const {
  double weights = 0;
  for (std::size_t i = 0; i < loss.examples(); ++i) weights += loss.weight(i);
  std::string text = fmt::format("seed={} model={} examples={} weights={} d={}", arguments_.seed, arguments_.model, loss.examples(),
                                 weights, theta_.size());
  for (const std::string& file : arguments_.data) text += " data=" + file;
  for (const std::string& assignment : arguments_.overrides) text += " " + assignment;
  return text + " content=" + DataLedger::fingerprint();
}

nlohmann::ordered_json ModelTraining::train(const TrainingLoss& loss, const Evaluate& evaluate) {
  const std::string settings = fingerprint(loss);
  const auto start = std::chrono::steady_clock::now();
  const fs::path folder = arguments_.directory;
  std::error_code error;
  fs::create_directories(folder, error);
  expect(!error, "{}: expected a folder that can be made, found: {}", folder.string(), error.message());
  const FolderLock lock(folder, "training");
  check_folder(arguments_);  // another process may have written meanwhile
  ParameterTraining training(options_.training, loss, arguments_.seed, pool_, theta_);
  CheckpointStore checkpoints(folder / kCheckpoints, 1);
  nlohmann::ordered_json epochs = nlohmann::ordered_json::array();
  double sum = 0;  // of the minibatches' losses in this epoch
  const auto save = [&] {
    Record state;
    state.records.emplace("training", training.save());
    state.texts = {{"settings", settings}, {"epochs", epochs.dump()}};
    state.scalars.emplace("loss_sum", sum);
    checkpoints.save(static_cast<std::uint32_t>(training.steps_done()), state);
  };
  if (const auto checkpoint = arguments_.resume ? checkpoints.load_newest() : std::nullopt) {
    expect_same_arguments(checkpoint->state.text("settings"), settings, folder);
    training.load(checkpoint->state.record("training"));
    epochs = parse_ordered_json(checkpoint->state.text("epochs"), "checkpoint: epochs");
    sum = checkpoint->state.scalar("loss_sum");
  }
  const InterruptGuard guard;
  ProgressBar bar("training", static_cast<long>(training.steps_done()), static_cast<long>(training.steps()), "steps");
  while (training.steps_done() < training.steps()) {
    const double found = training.advance();
    sum += found;
    bar.update(static_cast<long>(training.steps_done()), fmt::format("loss {:.4f}", found));
    if (training.steps_done() % training.steps_per_epoch() == 0) {
      nlohmann::ordered_json row{{"epoch", training.steps_done() / training.steps_per_epoch()},
                                 {"train_loss", sum / static_cast<double>(training.steps_per_epoch())}};
      row.update(evaluate(training.theta()));
      sum = 0;
      bar.say(row.dump());
      epochs.push_back(std::move(row));
    }
    const int signal = InterruptGuard::signal_received();
    if (signal != 0 || training.steps_done() % options_.checkpoint_every == 0 || training.steps_done() == training.steps()) save();
    if (signal != 0 && training.steps_done() < training.steps()) {
      warn("stopped after step {}; go on with the same command and --resume", training.steps_done());
      throw CLI::RuntimeError(128 + signal);
    }
  }
  write_decoder_folder(*model_, head_, training.theta(), folder);
  copy_tokenizer(arguments_.tokenizer.empty() ? arguments_.model : arguments_.tokenizer, folder);
  nlohmann::ordered_json result = epochs.back();  // the last one's figures are the model's
  result.erase("epoch");
  result["steps"] = training.steps();
  result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result["epochs"] = std::move(epochs);
  return result;
}

void ModelTraining::report(const nlohmann::ordered_json& result) const {
  const fs::path folder = arguments_.directory;
  write_whole_file(folder / "training.json", result.dump(2) + '\n');
  if (arguments_.json) {
    write_output("{}\n", json_text(result));
  } else {
    write_output_path(folder);
  }
}

}  // namespace paretofl
