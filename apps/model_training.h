#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/core/thread_pool.h"
#include "paretofl/language/new_decoder.h"
#include "paretofl/language/trainable_decoder.h"
#include "paretofl/local/parameter_training.h"
#include "paretofl/text/preference_pairs.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {

/// What train-lm and train-reward ask for alike.
struct ModelTrainingArguments {
  std::vector<std::string> data;
  std::string tokenizer;
  std::string model;  ///< a folder to start from; empty: a new model
  std::string directory;
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;
  std::size_t threads = 2;
  std::string device = "cpu";
  bool resume = false;
  bool json = false;

  void add_to(CLI::App& command);
};

/// The keys that --set reaches.
struct ModelTrainingOptions {
  NewDecoderOptions model;
  TrainingOptions training;
  std::int64_t context = 256;
  std::int64_t held_out_every = 10;
  std::int64_t checkpoint_every = 100;

  void describe(OptionVisitor& visit);
};

/// The settings of --set assignments.
Settings overrides_of(const ModelTrainingArguments& arguments);

/// The training of one model in one folder: the model it starts from, checkpoints, and what it leaves.
class ModelTraining {
 public:
  using Evaluate = std::function<nlohmann::ordered_json(std::span<const float> theta)>;

  /// Throws Error if the folder holds files, unless `resume` is asked for and there is a checkpoint among them, and if the model and the
  /// tokenizer do not fit.
  ModelTraining(const ModelTrainingArguments& arguments, const ModelTrainingOptions& options, DecoderHead head);

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  const std::shared_ptr<const TrainableDecoder>& model() const { return model_; }
  std::span<const float> theta() const { return theta_; }
  ThreadPool& pool() { return pool_; }

  /// Trains to the end, with a checkpoint every so many steps and a progress bar; `evaluate` says what an epoch's parameters
  /// reach. Writes the model's folder. Returns the steps, the epochs' figures and the time it took. After SIGINT or SIGTERM it
  /// writes a checkpoint and throws CLI::RuntimeError. A checkpoint of other settings, or of files that had another content, is an Error.
  nlohmann::ordered_json train(const TrainingLoss& loss, const Evaluate& evaluate);

  /// Writes training.json into the folder and prints it, or the folder's name.
  void report(const nlohmann::ordered_json& result) const;

 private:
  std::string fingerprint(const TrainingLoss& loss) const;

  const ModelTrainingArguments& arguments_;
  const ModelTrainingOptions& options_;
  DecoderHead head_;
  ThreadPool pool_;
  std::unique_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const TrainableDecoder> model_;
  std::vector<float> theta_;
};

}  // namespace paretofl
