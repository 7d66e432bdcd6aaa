// train-lm, train-reward and score on tiny models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;

const std::string kTrainCommand = "'" + command_path() + "' ";
const std::string kTiny =
    " --set model.hidden_size=16 --set model.intermediate_size=24 --set model.layers=1 --set model.heads=2 --set model.key_value_heads=1"
    " --set model.positions=64 --set context=32 --set training.batch=4 --set training.part=2 --set training.learning_rate=0.01";

/// A folder with a vocabulary of bytes, texts and pairs, made once.
const std::filesystem::path& models_folder() {
  static const std::filesystem::path kFolder = [] {
    std::filesystem::path path = testing::TempDir() + "train";
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
    for (int byte = 0; byte < 256; ++byte) vocabulary[fmt::format("<0x{:02X}>", byte)] = 3 + byte;
    json tokenizer = {
        {"version", "1.0"},
        {"added_tokens", json::array()},
        {"normalizer", nullptr},
        {"pre_tokenizer", nullptr},
        {"post_processor", nullptr},
        {"decoder", {{"type", "ByteFallback"}}},
        {"model", {{"type", "BPE"}, {"unk_token", "<unk>"}, {"byte_fallback", true}, {"vocab", vocabulary}, {"merges", json::array()}}}};
    for (int id = 0; id < 3; ++id) {
      tokenizer["added_tokens"].push_back({{"id", id},
                                           {"content", id == 0   ? "<unk>"
                                                       : id == 1 ? "<s>"
                                                                 : "</s>"},
                                           {"special", true},
                                           {"single_word", false},
                                           {"lstrip", false},
                                           {"rstrip", false},
                                           {"normalized", false}});
    }
    std::ofstream(path / "tokenizer.json") << tokenizer;
    std::ofstream(path / "tokenizer_config.json") << R"({"bos_token": "<s>", "eos_token": "</s>"})";
    std::ofstream verses(path / "verses.txt"), pairs(path / "pairs.jsonl");
    for (int i = 0; i < 40; ++i) {
      verses << i << ": tick tack, said the clock\n\n";
      const std::string prompt = fmt::format("\n\nHuman: say {}\n\nAssistant:", i);
      pairs << json{{"chosen", prompt + " yes" + std::string(i % 3, '!')}, {"rejected", prompt + " no" + std::string(i % 4, '!')}} << "\n";
    }
    return path;
  }();
  return kFolder;
}

Outcome run(const std::string& arguments) { return run_in_shell(kTrainCommand + arguments, models_folder()); }

std::string bytes_of(const std::string& model) {
  std::ifstream file(models_folder() / model / "model.safetensors", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TrainLm, ALanguageModelLearnsAVerseByHeart) {
  const Outcome outcome = run("train-lm --data verses.txt --tokenizer . --dir verse --json --set training.epochs=25" + kTiny);
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  const json result = json::parse(outcome.out);
  const json& epochs = result["epochs"];
  EXPECT_EQ(epochs.size(), 25U);
  EXPECT_LT(epochs.back()["train_loss"], 0.6);
  EXPECT_LT(epochs.back()["held_out_loss"], 1.2);
  EXPECT_GT(epochs.front()["train_loss"], 3);
  EXPECT_NEAR(epochs.back()["held_out_perplexity"], std::exp(epochs.back()["held_out_loss"].get<double>()), 1e-9);
  const Outcome text = run("generate --model verse --prompt '7: tick ta' --max-new-tokens 18 --temperature 0");
  ASSERT_EQ(text.code, 0) << text.out;
  EXPECT_EQ(json::parse(text.out)["text"], "ck, said the clock");

  // In 8 bits the same, with the log-probabilities of the rounded model.
  const Outcome rounded = run("generate --model verse --prompt '7: tick ta' --max-new-tokens 18 --generation-weights int8 --logits");
  ASSERT_EQ(rounded.code, 0) << rounded.out;
  const json in_8_bits = json::parse(rounded.out);
  EXPECT_EQ(in_8_bits["text"], "ck, said the clock");
  const auto logprobs = in_8_bits["logprobs"].get<std::vector<double>>();
  const auto exact = json::parse(text.out)["logprobs"].get<std::vector<double>>();
  EXPECT_NE(logprobs, exact);
  EXPECT_THAT(logprobs, testing::Pointwise(testing::DoubleNear(0.2), exact));
  double sum = 0;
  for (const double logit : in_8_bits["logits"].get<std::vector<double>>()) sum += std::exp(logit);
  const auto first = in_8_bits["ids"][0].get<std::size_t>();
  EXPECT_NEAR(logprobs[0], in_8_bits["logits"][first].get<double>() - std::log(sum), 1e-3) << "logits are those of the first token";
}

TEST(TrainLm, ThreadsAndInterruptionsDoNotChangeABit) {
  const std::string command = "train-lm --data verses.txt --tokenizer . --set training.epochs=4 --set checkpoint_every=3" + kTiny;
  ASSERT_EQ(run(command + " --dir one --threads 1").code, 0);
  ASSERT_EQ(run(command + " --dir two --threads 2").code, 0);
  EXPECT_EQ(bytes_of("one"), bytes_of("two"));

  // Killed as soon as there is a checkpoint, whichever that is.
  const std::string once = kTrainCommand + command + " --dir killed";
  run_in_shell("{ " + once + " & until ls killed/checkpoints/*.bin; do :; done; kill -9 $!; wait; } > /dev/null 2>&1", models_folder());
  ASSERT_EQ(run(command + " --dir killed --resume").code, 0);
  EXPECT_EQ(bytes_of("killed"), bytes_of("one"));

  EXPECT_EQ(run(command + " --dir one 2>&1").code, 1) << "a folder with files needs --resume";
  const Outcome other = run(command + " --dir one --resume --seed 2 2>&1");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, testing::HasSubstr("expected the arguments and data of the training in one, seed=1, found seed=2"));

  // A file of the same name and length that says something else.
  run_in_shell("cp verses.txt kept.txt && sed -i '1s/tick/tack/' verses.txt", models_folder());
  const Outcome changed = run(command + " --dir one --resume 2>&1");
  run_in_shell("mv kept.txt verses.txt", models_folder());
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, testing::ContainsRegex("data of the training in one, content=[0-9a-f]+, found content="));
}

TEST(TrainLm, APromptThatOneFileHoldsOutIsTrainedOnInNone) {
  // The same documents in another order, of which others would be held out.
  run_in_shell("tail -n +3 verses.txt > turned.txt && head -n 2 verses.txt >> turned.txt", models_folder());
  const std::string once = " --tokenizer . --json --set training.epochs=1" + kTiny;
  const auto tokens = [&](const std::string& data, const std::string& folder) {
    const json result = json::parse(run("train-lm " + data + " --dir " + folder + once).out);
    return std::pair(result["train_tokens"].get<int>(), result["held_out_tokens"].get<int>());
  };
  const auto one = tokens("--data verses.txt", "held_one");
  const auto both = tokens("--data verses.txt --data turned.txt", "held_both");
  // Four documents of each file, which are eight different ones and stand in both files.
  EXPECT_GT(both.second, 3.8 * one.second);
  EXPECT_LT(both.first, 2 * one.first - 1.5 * one.second);

  std::ofstream(models_folder() / "few.txt") << "tick tack\n\nsaid the clock";
  EXPECT_THAT(run("train-lm --data few.txt --dir held_none" + once + " 2>&1").out,
              testing::HasSubstr("warning: train-lm: expected at least 10 distinct prompts or documents in a file"));
}

TEST(TrainReward, PairsOfEqualTextsAreCountedAndLeftOut) {
  run_in_shell("cp pairs.jsonl equal.jsonl", models_folder());
  const std::string text = "\n\nHuman: say 1\n\nAssistant: yes";
  std::ofstream(models_folder() / "equal.jsonl", std::ios::app) << json{{"chosen", text}, {"rejected", text}} << "\n";
  const Outcome outcome = run("train-reward --data equal.jsonl --tokenizer . --dir equal --json --set training.epochs=1" + kTiny);
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(json::parse(outcome.out)["train_pairs"], 36);
  EXPECT_EQ(json::parse(outcome.out)["pairs_of_equal_texts"], 1);
}

TEST(TrainReward, ARewardModelTellsYesFromNo) {
  const Outcome outcome = run("train-reward --data pairs.jsonl --tokenizer . --dir yes --json --set training.epochs=15" + kTiny);
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["train_pairs"], 36);
  EXPECT_EQ(result["held_out_pairs"], 4);
  EXPECT_EQ(result["epochs"].back()["held_out_accuracy"], 1);
  std::ofstream(models_folder() / "rows.jsonl") << json{{"prompt", "\n\nHuman: say\n\nAssistant:"}, {"completion", " yes"}} << "\n\n"
                                                << json{{"prompt", "\n\nHuman: say\n\nAssistant:"}, {"completion", " no"}} << "\n"
                                                << R"({"ids": [5, 6, 7]})";
  const Outcome scores = run("score --reward-model yes rows.jsonl");
  ASSERT_EQ(scores.code, 0) << scores.out;
  std::istringstream lines(scores.out);
  json yes, no, ids;
  lines >> yes >> no >> ids;
  EXPECT_GT(yes["score"].get<double>(), no["score"].get<double>() + 1);
  EXPECT_TRUE(std::isfinite(ids["score"].get<double>()));

  // As a reward it is squashed about its center.
  const std::string pair =
      "head -n 3 rows.jsonl | " + kTrainCommand + "score --reward reward_model --set model=yes --set center=0.5 --set scale=2 -";
  const Outcome rewards = run_in_shell(pair, models_folder());
  ASSERT_EQ(rewards.code, 0) << rewards.out;
  std::istringstream reward_lines(rewards.out);
  for (const json& raw : {yes, no}) {
    json reward;
    reward_lines >> reward;
    EXPECT_NEAR(reward["score"].get<double>(), 1 / (1 + std::exp(-(raw["score"].get<double>() - 0.5) / 2)), 1e-5);
  }
}

TEST(TrainLm, NothingIsLostInTheFolder) {
  const auto folder = models_folder();
  ASSERT_EQ(run("train-lm --data verses.txt --tokenizer . --dir mine --set training.epochs=1" + kTiny).code, 0);
  std::filesystem::create_directory(folder / "copied");
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}) {
    std::filesystem::copy_file(folder / "mine" / file, folder / "copied" / file);
  }
  const std::string before = bytes_of("copied");
  const std::string more = " --set training.epochs=1 --set context=32 2>&1";
  const Outcome resumed = run("train-lm --data verses.txt --model mine --dir copied --resume" + more);
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.out,
              testing::HasSubstr("--resume: expected a checkpoint in copied/checkpoints, found none; what is in copied would be lost"));
  EXPECT_EQ(run("train-lm --data verses.txt --model copied --dir copied --resume" + more).code, 1);
  EXPECT_EQ(run("convert --from safetensors mine copied --dtype float16 2>&1").code, 1);
  EXPECT_EQ(bytes_of("copied"), before);
  EXPECT_THAT(run("train-lm --data verses.txt --model mine --dir ''" + more).out,
              testing::HasSubstr("--dir: expected the name of a folder"));
  EXPECT_FALSE(std::filesystem::exists(folder / "checkpoints"));
  for (const char* name : {"pairs.json", "table.csv", "rows.parquet", "rows.json.gz"}) {
    std::ofstream(folder / name) << "{}";
    EXPECT_THAT(run(std::string("train-lm --data ") + name + " --model mine --dir other" + more).out,
                testing::HasSubstr(std::string("expected a text, or pairs as JSON lines (.jsonl), found ") + name));
  }
  std::ofstream(folder / "apart.jsonl") << R"({"prompt": "say 1", "chosen": "yes", "rejected": "no"})";
  EXPECT_THAT(run("train-lm --data apart.jsonl --model mine --dir other" + more).out, testing::HasSubstr("found it apart from them"));
  EXPECT_FALSE(std::filesystem::exists(folder / "other"));
  // What a training leaves that ended before its first checkpoint is no obstacle.
  std::filesystem::create_directories(folder / "begun/checkpoints");
  EXPECT_EQ(run("train-lm --data verses.txt --model mine --dir begun" + more).code, 0);
}

TEST(TrainLm, TheFolderHasTheTokenizerUnderItsName) {
  ASSERT_EQ(run("train-lm --data verses.txt --tokenizer . --dir base --set training.epochs=1" + kTiny).code, 0);
  ASSERT_EQ(run_in_shell("gzip -kc tokenizer.json > packed.gz && cp tokenizer.json words.vocab", models_folder()).code, 0);
  for (const char* file : {"packed.gz", "words.vocab"}) {
    const std::string folder = std::string("from_") + file;
    ASSERT_EQ(
        run(std::string("train-lm --data verses.txt --tokenizer ") + file + " --dir " + folder + " --set training.epochs=1" + kTiny).code,
        0);
    const auto text_of = [](const std::filesystem::path& path) {
      std::ifstream stream(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    EXPECT_EQ(text_of(models_folder() / folder / "tokenizer.json"), text_of(models_folder() / "tokenizer.json")) << file;
    EXPECT_EQ(run("generate --model " + folder + " --prompt tick --max-new-tokens 2").code, 0) << file;
  }
}

TEST(TrainLm, AnotherVocabularyBringsItsEndOfSequence) {
  ASSERT_EQ(run("train-lm --data verses.txt --tokenizer . --dir old --set training.epochs=1" + kTiny).code, 0);
  std::filesystem::create_directory(models_folder() / "other_words");
  std::filesystem::copy_file(models_folder() / "tokenizer.json", models_folder() / "other_words/tokenizer.json");
  std::ofstream(models_folder() / "other_words/tokenizer_config.json") << R"({"bos_token": "<s>", "eos_token": "<unk>"})";
  ASSERT_EQ(run("train-lm --data verses.txt --model old --tokenizer other_words --dir new --set training.epochs=1 --set context=32").code,
            0);
  const auto end_of = [](const char* name) {
    std::ifstream file(models_folder() / name / "config.json");
    return json::parse(file)["eos_token_id"];
  };
  EXPECT_EQ(end_of("old"), 2);
  EXPECT_EQ(end_of("new"), 0);
}

}  // namespace
}  // namespace paretofl
