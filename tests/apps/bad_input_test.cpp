// Bad input to the command: one clear line that says what was expected, a non-zero exit, nothing written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

struct Case {
  std::string arguments;
  std::string message;  ///< part of the line
};

// Names a case in a failure.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Case& bad, std::ostream* out) { *out << bad.arguments; }

const std::string kTreasure = source_path() + "/experiments/fedpref/fedpref-deep_sea_treasure.toml";
const std::string kQuadratics = source_path() + "/experiments/fedcmoo/fedcmoo-quadratics.toml";
const std::string kArithmetic = source_path() + "/experiments/fedmoa/fedmoa-arithmetic.toml";
const std::string kCeleba = source_path() + "/experiments/fedcmoo/fedcmoo-celeba.toml";
const std::string kCeleba5 = source_path() + "/experiments/fedcmoo/fedcmoo-celeba5.toml";
const std::string kDigits = source_path() + "/experiments/fedcmoo/fedcmoo-mnist_fmnist.toml";

/// A folder of bad files, made once.
const std::filesystem::path& folder() {
  static const std::filesystem::path kFolder = [] {
    std::filesystem::path path = testing::TempDir() + "bad_input";
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path / "data/mnist");
    std::filesystem::create_directories(path / "data/fashion_mnist");
    std::filesystem::create_directories(path / "data/celeba");
    const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(path / name) << text; };
    write("broken.toml", "strategy = \"");
    write("text_seed.toml", "seed = \"one\"\n[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n");
    write("misspelt.toml", "[stratgy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n");
    write("table.toml",
          "data.root = \"absent\"\nworkload = {name = \"table\", targets = [\"a\"], losses = [\"squared\"]}\nstrategy = \"fedavg\"\n");
    write("empty.toml", "");
    write("ragged.json", R"({"gramian": [[1, 0], [0]]})");
    write("nan.json", R"({"gramian": [[NaN]]})");
    write("asymmetric.json", R"({"gramian": [[1, 2], [0, 1]]})");
    write("negative.json", R"({"gramian": [[-1]]})");
    write("unknown.json", R"({"gramian": [[1]], "loses": [1]})");
    write("list.json", "[1]");
    write("short.json", R"({"gramian": [[1, 0], [0, 1]], "losses": [1]})");
    write("no_losses.json", R"({"gramian": [[1, 0], [0, 1]]})");
    write("moves.json", "[3, 1]");
    write("no_list.json", R"({"actions": [1]})");
    write("high_action.json", "[0, 4]");
    write("half_action.json", "[0.5]");
    write("nan_action.json", "[NaN]");
    write("null_action.json", "[null]");
    write("nested_action.json", "[[1]]");
    write("past_the_end.json", "[1, 1]");
    write("huge_torque.json", "[[1e20, 0, 0, 0, 0, 0]]");
    write("torques.json", "[[0, 0, 0, 0, 0, 0]]");
    write("still.json", R"({"qpos": [0, 0, 0, 0, 0, 0, 0, 0, 0], "qvel": [0, 0, 0, 0, 0, 0, 0, 0, 0]})");
    write("short_state.json", R"({"qpos": [0, 0], "qvel": [0, 0, 0, 0, 0, 0, 0, 0, 0]})");
    write("no_qvel.json", R"({"qpos": [0]})");
    write("unknown_key.json", R"({"qpos": [0], "qvel": [0], "mass": 14})");
    write("text_state.json", R"({"qpos": ["x"], "qvel": [0]})");
    write("nan_state.json", R"({"qpos": [NaN], "qvel": [0]})");
    write("far_state.json", R"({"qpos": [1e300, 0, 0, 0, 0, 0, 0, 0, 0], "qvel": [0, 0, 0, 0, 0, 0, 0, 0, 0]})");
    write("wild_state.json", R"({"qpos": [0, 0, 0, 0, 0, 0, 0, 0, 0], "qvel": [0, 0, 1e10, 0, 0, 1e10, 0, 0, 1e10]})");
    write("list_tokenizer.json", "[1]");
    write("wordpiece.json", R"({"model": {"type": "WordPiece", "vocab": {}}})");
    write("no_merges.json", R"({"a": 0})");
    write("broken.model", "no model");
    write("vocab.json", R"({"a": 0, "b": 1, "ab": 2})");
    write("merges.txt", "#version: 0.2\na b\n");
    write("bad-vocab.json", R"({"a": 0})");
    write("bad-merges.txt", "a c\n");
    write("high_ids.json", R"({"ids": [0, 3]})");
    write("half_ids.json", R"({"ids": [0.5]})");
    write("second_without_reference.jsonl",
          "{\"prompt\": \"a\", \"completion\": \"1\", \"reference\": \"1\"}\n{\"prompt\": \"a\", \"completion\": \"b\"}\n");
    write("one_completion.jsonl", "{\"prompt\": \"a\", \"completion\": \"b\"}\n");
    write("no_completion.jsonl", "{\"prompt\": \"a\", \"completion\": \"b\"}\n{\"prompt\": \"a\"}\n");
    write("ragged.csv", "1,2\n3\n");
    write("word.csv", "1,x\n");
    write("nan.csv", "1,nan\n");
    write("empty.csv", "");
    write("two.csv", "1,2\n");
    for (const char* set : {"mnist", "fashion_mnist"}) write(std::string("data/") + set + "/train-images-idx3-ubyte", "abc");
    write("data/celeba/list_attr_celeba.txt", "2\nBald\n");
    // A Llama of zeros: width 4, inner width 3, one layer, one head, two tokens, two positions.
    const std::array<std::int32_t, 7> sizes = {4, 3, 1, 1, 1, 2, 2};
    const std::string header(reinterpret_cast<const char*>(sizes.data()), sizeof sizes);
    write("tiny.bin", header + std::string(512, '\0'));
    write("cut.bin", header + std::string(500, '\0'));
    run_in_shell(command_path() + " convert --from llama2c tiny.bin tiny 2>&1", path);
    std::filesystem::create_directories(path / "no_weights");
    write("no_weights/config.json", run_in_shell("cat tiny/config.json", path).out);
    std::filesystem::create_directories(path / "mamba");
    write("mamba/config.json", R"({"model_type": "mamba"})");
    run_in_shell(command_path() + " run " + kQuadratics + " --dir done --set rounds=2 2>&1", path);
    run_in_shell("cp -r done cut && truncate -s 40 cut/checkpoints/*", path);
    return path;
  }();
  return kFolder;
}

class BadInput : public testing::TestWithParam<Case> {};

TEST_P(BadInput, GetsOneClearLineAndLosesNothing) {
  const std::string before = run_in_shell("find . -type f | sort | xargs cksum", folder()).out;
  const Outcome outcome = run_in_shell(command_path() + " " + GetParam().arguments + " 2>&1 >/dev/null", folder());
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.code, 128) << "killed by a signal";
  EXPECT_THAT(outcome.out, testing::HasSubstr(GetParam().message));
  EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: "));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  EXPECT_EQ(run_in_shell("find . -type f | sort | xargs cksum", folder()).out, before);
}

/// An episode of deep-sea treasure.
Case rollout(const std::string& actions, std::string message) {
  return {"rollout --env deep-sea-treasure-v0 --actions " + actions, std::move(message)};
}

/// An episode of the half cheetah from a given state.
Case rollout_from(const std::string& state, std::string message) {
  return {"rollout --env mo-halfcheetah-v4 --actions torques.json --initial-state " + state, std::move(message)};
}

/// A continuation by the tiny model.
Case generate(const std::string& arguments, std::string message) { return {"generate --model tiny " + arguments, std::move(message)}; }

/// A run of the quadratics with settings.
Case with(const std::string& settings, std::string message) {
  return {"run " + kQuadratics + " --dir new " + settings, std::move(message)};
}

Case with_set(const std::string& setting, std::string message) { return with("--set '" + setting + "'", std::move(message)); }

/// FedAvg on the quadratics with a setting.
Case with_fedavg(const std::string& setting, std::string message) {
  return {"run " + source_path() + "/experiments/fedcmoo/fedavg-quadratics.toml --dir new --set '" + setting + "'", std::move(message)};
}

/// FedMOA on questions that need no file, with settings.
Case with_questions(const std::string& settings, std::string message) {
  return {"run " + kArithmetic + " --dir new --set workload.model= " + settings, std::move(message)};
}

/// FedPref on Deep-Sea Treasure with a setting.
Case with_treasure(const std::string& setting, std::string message) {
  return {"run " + kTreasure + " --dir new --set '" + setting + "'", std::move(message)};
}

/// The same under the preferences of groups.
Case with_groups(const std::string& sizes, const std::string& preferences, std::string message) {
  return with_treasure("workload.preferences.name=groups' --set 'workload.preferences.sizes=" + sizes +
                           "' --set 'workload.preferences.preferences=" + preferences,
                       std::move(message));
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"run absent.toml --dir new", "absent.toml: expected a file, found none"},
      {"run broken.toml --dir new", "broken.toml:1:13: expected TOML"},
      {"run text_seed.toml --dir new", "expected an integer for seed, found a text"},
      {"run empty.toml --dir new", "empty.toml: expected a TOML file with settings, found an empty one"},
      {"run", "expected either CONFIG or --resume DIR, found neither"},
      with_set("adversary.name=sign", "adversary: expected one of none, sign_flip"),
      with_set("adversary.share=0.1", "expected one of name; found the unknown key adversary.share"),
      with("--set adversary.name=scale --set adversary.share=2", "adversary.share"),
      with("--set adversary.name=scale --set adversary.share=0.001", "expected a share of 20 clients that is at least one of them"),
      with("--set adversary.name=poison_objective --set adversary.objective=3", "adversary.objective: expected a number below 3, found 3"),
      with_set("strategy.cohort_sise=3", "did you mean strategy.cohort_size?"),
      with_set("strategy.cohort_size=0", "expected strategy.cohort_size >= 1, found 0"),
      with_set("strategy.cohort_size=21", "expected 1 to 20 clients, found 21"),
      with_set("strategy.name=fedcmo", "expected one of fedavg"),
      with_set("workload.name=nothing", "expected one of quadratics"),
      with_set("workload.objectives=0", "expected workload.objectives 1 to 1000, found 0"),
      with_set("workload.condition=0.5", "expected workload.condition 1 to"),
      with_set("runtime.name=cloud", "expected one of threads, mpi, sockets, flower; found 'cloud'"),
      with_set("runtime.threads=0", "expected runtime.threads 1 to 256, found 0"),
      with_set("rounds=-1", "expected rounds >= 1, found -1"),
      with_set("seed=x", "expected an integer for seed"),
      with_set("evaluation.every=0", "expected evaluation.every >= 1, found 0"),
      with_set("strategy.solver=cagradd", "found 'cagradd'"),
      with("--set strategy.solver.name=cagrad --set strategy.solver.d=1", "did you mean strategy.solver.c?"),
      with("--set strategy.solver.name=fixed --set 'strategy.solver.objective_weights=[1,2]'",
           "fixed: expected 3 objective_weights, one per objective, found 2"),
      with_set("workload.clients=3000000000", "expected workload.clients 1 to 2147483647, found 3000000000"),
      {"run " + source_path() + "/experiments/fedcmoo/fedcmoo_theory-quadratics.toml --dir new --set strategy.beta=-0.5",
       "expected strategy.beta of -1, or of at least 0, found -0.5"},
      {"run " + source_path() +
           "/experiments/fedpref/fedavg-deep_sea_treasure.toml --dir new"
           " --set strategy.private_preferences=false --set strategy.fine_tune=false",
       "strategy without private_preferences: expected a workload with gradients of each objective, found one without"},
      with_set("strategy.compressor=zip", "found 'zip'"),
      with_set("strategy.preference=[1,2]", "expected 3 numbers in strategy.preference, found 2"),
      with_set("strategy.preference=[1,2,0]", "expected positive numbers in strategy.preference, found 0"),
      with_set("strategy.client_lr=nan", "expected a finite number for strategy.client_lr, found nan"),
      with_fedavg("strategy.objective_weights=[1,2]", "strategy.objective_weights: expected 3 numbers, found 2"),
      with_fedavg("strategy.objective_weights=[0,0,0]", "strategy.objective_weights: expected at least one positive number"),
      with_set("evaluation.fine_tuned=true", "evaluation.fine_tuned: expected a strategy with personalized models, found fedcmoo"),
      with_set("strategy", "--set: expected key=value, found 'strategy'"),
      {"run " + kQuadratics + " --dir done", "expected done to be empty or absent"},
      with_treasure("strategy.s_min=1.0", "strategy.s_min: expected a number from -1 to below 1, found 1"),
      with_treasure("strategy.top_r=0.0", "strategy.top_r: expected a number above 0 and at most 1, found 0"),
      with_treasure("strategy.patience=0", "expected strategy.patience >= 1, found 0"),
      with_treasure("strategy.epsilon=-1.0", "expected strategy.epsilon >= 0, found -1"),
      with_treasure("strategy.optimizer=sgd", "expected strategy.optimizer adam, found sgd"),
      with_treasure("workload.preferences=dirichlett", "did you mean dirichlet?"),
      with_questions("--set strategy.reward_weights=[0.5,0.6]", "reward weights: expected numbers that sum to 1, found 1.1"),
      with_questions("--set strategy.reward_weights=[0.5,0.5]", "expected 3 numbers for the rewards of client 0, found 2"),
      with_questions("--set strategy.clusters=name", "strategy.clusters"),
      with_questions("--set workload.groups=sums:accuracy+brevity", "brevity"),
      {"run " + kArithmetic + " --dir new --set workload.model=absent",
       "workload.model: expected a language model's folder, found none at absent"},
      with_questions("--set workload.groups=riddles:accuracy", "riddles"),
      with_questions("--set workload.groups=", "workload.groups"),
      with_questions("--set workload.clients=1 --set strategy.cohort_size=1",
                     "workload.clients: expected at least one for each of 2 groups, found 1"),
      with_questions("--set workload.rewards.accuracy.name=luck", "luck"),
      with_questions("--set workload.grpo.completions=1", "workload.grpo.completions"),
      with_questions("--set workload.grpo.advantages=mean", "workload.grpo.advantages"),
      with_questions("--set workload.grpo.hidden_layer=9", "grpo.hidden_layer"),
      with_questions("--set workload.grpo.max_new_tokens=5000", "max_new_tokens"),
      with_questions("--set evaluation.choose_by=luck", "evaluation.choose_by: expected a validation figure such as accuracy"),
      with_set("evaluation.choose_by=loss/f1", "evaluation.choose_by: expected a workload with a validation split, found none"),
      with_groups("[19]", "[]", "groups.sizes: expected a sum of 20 clients, found 19"),
      with_groups("[10,10]", "[1,2,0,0]", "found only zeros"),
      with_groups("[10,10]", "[1,2,-1,2]", "expected workload.preferences.preferences >= 0, found -1"),
      with_groups("[10,10]", "[1,2,3]", "groups.preferences: expected 4 numbers for 2 groups and 2 objectives, found 3"),
      with_treasure("workload.environment=mo-halfcheetah-v4", "dqn: expected an environment of discrete actions, found mo-halfcheetah-v4"),
      with_treasure("workload.environment=nowhere-v0", "environment: expected one of deep-sea-treasure-v0"),
      with_treasure("workload.agent.hidden=[16.5]", "expected whole numbers in hidden, found 16.5"),
      {"run --resume nowhere", "expected a run in nowhere, found no config.toml"},
      {"run --resume done --set rounds=1", "expected rounds of at least 2"},
      {"run --resume done --set strategy.client_lr=1", "expected --set of rounds, runtime.name, "},
      {"run --resume cut --set rounds=3", "expected a whole checkpoint in cut/checkpoints"},
      {"run " + kDigits + " --dir new --set data.root=nowhere", "expected the file train-images-idx3-ubyte"},
      {"run " + kDigits + " --dir new --set data.root=data", "expected"},
      {"run " + kCeleba + " --dir new --set data.root=nowhere", "list_attr_celeba.txt: expected a file, found none"},
      {"run " + kCeleba5 + " --dir new --set data.root=data", "txt:2: expected 5_o_Clock_Shadow as attribute 1, found 'Bald'"},
      {"run " + kCeleba + " --dir new --set workload.objectives=41", "expected workload.objectives 1 to 40, found 41"},
      {"run " + kCeleba5 + " --dir new --set workload.evaluation_images=-1", "expected workload.evaluation_images >= 0, found -1"},
      {"weights --solver min_norm ragged.json", "expected 2 numbers in row 1"},
      {"weights --solver min_norm nan.json", "nan.json: expected JSON"},
      {"weights --solver min_norm asymmetric.json", "expected a symmetric matrix"},
      {"weights --solver min_norm negative.json", "expected a non-negative diagonal"},
      {"weights --solver min_norm unknown.json", "found 'loses'"},
      {"weights --solver min_norm list.json", "expected a JSON object with a gramian, found array"},
      {"weights --solver min_norm short.json", "losses: expected 2 values"},
      {"weights --solver min_norm absent.json", "absent.json: expected a file, found none"},
      {"weights --solver kl_preference no_losses.json", "expected 2 losses, found 0"},
      {"weights --solver min_norn list.json", "found 'min_norn'"},
      {"weights --solver min_norm --set c=1 list.json", "expected no options, found solver.c"},
      {"weights --solver cagrad --set c=-1 list.json", "expected solver.c 0 to"},
      {"indicators ragged.csv", "line 2: expected 2 numbers like line 1, found 1"},
      {"indicators word.csv", "found 'x'"},
      {"indicators nan.csv", "found 'nan'"},
      {"indicators empty.csv", "empty.csv: expected a CSV file of points, found nothing"},
      {"indicators absent.csv", "absent.csv: expected a file, found none"},
      {"indicators two.csv --reference 1", "expected a reference point of 2 numbers, found 1"},
      {"convert --from gguf tiny.bin new", "expected --from llama2c or safetensors, found 'gguf'"},
      {"convert --from llama2c absent.bin new", "absent.bin"},
      {"convert --from llama2c cut.bin new", "cut.bin: expected 540 bytes by its header, found 528"},
      {"convert --from llama2c moves.json new", "moves.json: expected a header of 28 bytes, found 6"},
      {"convert --from llama2c tiny.bin new --dtype float16", "expected --dtype with --from safetensors alone"},
      {"convert --from safetensors tiny new", "expected a --dtype to convert to, found none"},
      {"convert --from safetensors tiny new --dtype int8", "expected float32, float16, bfloat16 or float64, found 'int8'"},
      {"convert --from safetensors tiny tiny --dtype float16", "expected tiny to be a folder that is new or empty"},
      {"convert --from safetensors absent new --dtype float16", "absent: expected a folder of a model or an adapter, found none"},
      {"generate --model absent --prompt-ids 1", "absent: expected a model's config.json, found none"},
      {"generate --model mamba --prompt-ids 1",
       "expected model_type to be llama, qwen2, qwen3, mistral, smollm3, phi3, gemma, gemma2, gemma3_text, gpt2 or deberta-v2, found "
       "'mamba'"},
      {"generate --model no_weights --prompt-ids 1", "no_weights"},
      generate("", "expected one of --prompt and --prompt-ids, found neither"),
      generate("--prompt-ids 1 --prompt x", "expected one of --prompt and --prompt-ids, found both"),
      generate("--prompt x", "tiny: expected a tokenizer for --prompt in the model's folder or by --tokenizer, found none"),
      generate("--prompt-ids 2 --max-new-tokens 1", "expected token ids below 2, found 2"),
      generate("--prompt-ids 1", "expected at most 2 tokens, as many as the model has positions, found 65"),
      generate("--prompt-ids 1 --max-new-tokens 0", "expected at least 1 new token, found 0"),
      generate("--prompt-ids 1 --max-new-tokens 1 --temperature -1", "expected a finite temperature of at least 0, found -1"),
      generate("--prompt-ids ''", "--prompt-ids: expected a whole number, found ''"),
      generate("--prompt-ids 1 --max-new-tokens 1 --stop 2", "--stop: expected tokens from 0 to 1, found 2"),
      generate("--prompt-ids 1 --top-k 1", "expected a --temperature above 0 with --top-k or --top-p, found 0"),
      generate("--prompt-ids 1 --stop ''", "--stop: expected a whole number, found ''"),
      generate("--prompt-ids 1 --temperature ''", "--temperature: expected a number, found an empty text"),
      generate("--prompt-ids 1 --top-k ''", "--top-k: expected a whole number, found ''"),
      {"epsilon --noise-multiplier '' --rounds 3 --delta 1e-5", "--noise-multiplier: expected a number, found an empty text"},
      generate("--prompt-ids 1 --max-new-tokens 1 --temperature 1 --top-p 2", "expected a top_p in (0, 1], found 2"),
      generate("--prompt-ids 1 --adapter absent", "absent: expected an adapter's adapter_config.json, found none"),
      generate("--prompt-ids 1 --device tpu", "expected a device of cpu, cuda or cuda:N, found 'tpu'"),
      generate("--prompt-ids 1 --generation-weights int4", "expected generation weights of float32 or int8, found 'int4'"),
      generate(
          "--prompt-ids 1 --max-new-tokens 1 --generation-weights int8 --dtype float64",
          "expected float32 parameters on the CPU, with maps of their own for queries, keys and values, to generate with int8 weights, "
          "found Double on cpu"),
      generate("--prompt-ids 1 --dtype int8", "expected a dtype of float32, bfloat16 or float64, found 'int8'"),
      {"rollout --env deep-sea-tresure-v0 --actions moves.json", "did you mean deep-sea-treasure-v0?"},
      {"rollout --env cloud --actions moves.json", "environment: expected one of deep-sea-treasure-v0"},
      rollout("absent.json", "absent.json: expected a file, found none"),
      rollout("empty.csv", "empty.csv: expected a JSON list of actions, found nothing"),
      rollout("no_list.json", "no_list.json: expected a list of actions, found object"),
      rollout("ragged.csv", "ragged.csv: expected JSON"),
      rollout("high_action.json", "high_action.json: action 1: expected an integer action from 0 to 3, found 4"),
      rollout("half_action.json", "action 0: expected an integer action from 0 to 3, found 0.5"),
      rollout("nan_action.json", "nan_action.json: expected JSON"),
      rollout("null_action.json", "action 0: expected a number, found null"),
      rollout("nested_action.json", "action 0: expected a number, found array"),
      rollout("moves.json --initial-state still.json",
              "deep-sea-treasure-v0: expected an environment with joints' positions and velocities to start from, found one without"),
      rollout_from("absent.json", "absent.json: expected a file, found none"),
      rollout_from("moves.json", R"(moves.json: expected {"qpos": [..], "qvel": [..]}, found array)"),
      rollout_from("short_state.json", "mo-halfcheetah-v4: expected 9 numbers of qpos, found 2"),
      rollout_from("no_qvel.json", "found no qvel"),
      rollout_from("unknown_key.json", "unknown_key.json: expected the keys qpos and qvel, found 'mass'"),
      rollout_from("text_state.json", "text_state.json: qpos[0]: expected a number, found string"),
      rollout_from("nan_state.json", "nan_state.json: expected JSON"),
      rollout_from("far_state.json", "mo-halfcheetah-v4: expected numbers of qpos within +-1e10, found 1e+300"),
      rollout_from("wild_state.json", "mo-halfcheetah-v4: expected a motion within MuJoCo's bounds, found one that diverges"),
      {"rollout --env mo-halfcheetah-v4 --actions moves.json", "moves.json: action 0: expected a list of 6 numbers, found number"},
      rollout("moves.json --seed -1", "--seed: expected a whole number from 0 to 9223372036854775807, found '-1'"),
      rollout("moves.json --seed 99999999999999999999999", "--seed: expected a whole number from 0 to 9223372036854775807, found '9999"),
      rollout("moves.json --seed 1.5", "--seed: expected a whole number from 0 to 9223372036854775807, found '1.5'"),
      rollout("- < /dev/null", "standard input: expected a JSON list of actions, found nothing"),
      rollout("- --initial-state - < moves.json", "expected one of --actions and --initial-state to be -, found both"),
      {"rollout --env mo-halfcheetah-v4 --actions huge_torque.json", "mo-halfcheetah-v4: expected finite rewards, found -inf at step 1"},
      rollout("past_the_end.json", "expected at most 1 actions, as many as the episode has steps, found 2"),
      {"tokenize --tokenizer absent.json < two.csv", "absent.json: expected a file"},
      {"tokenize --tokenizer data < two.csv", "data: expected a folder with tokenizer.json, tokenizer.model or vocab.json, found none"},
      {"tokenize --tokenizer ragged.json < two.csv", "ragged.json: expected a tokenizer.json with a model, or a file called vocab.json"},
      {"tokenize --tokenizer list_tokenizer.json < two.csv", "list_tokenizer.json: expected an object, found array"},
      {"tokenize --tokenizer wordpiece.json < two.csv", "expected a model BPE or Unigram, found 'WordPiece'"},
      {"tokenize --tokenizer broken.model < two.csv", "broken.model: expected a SentencePiece model, found something else"},
      {"tokenize --tokenizer bad-vocab.json < two.csv", "bad-vocab.json: merges: merge 1: expected a token of the vocabulary, found 'ac'"},
      {"tokenize --tokenizer vocab.json < two.csv", "encode: expected characters of the vocabulary, found"},
      {"tokenize --tokenizer vocab.json --decode < high_ids.json", "decode: expected ids of the vocabulary, below 3, found 3"},
      {"tokenize --tokenizer vocab.json --decode < half_ids.json",
       "standard input: ids: expected whole numbers from 0 to 2147483647, found 0.5"},
      {"tokenize --tokenizer vocab.json --decode < list.json", "standard input: expected an object, found array"},
      {"tokenize --tokenizer vocab.json --decode --lines < two.csv", "standard input:1: expected JSON"},
      {"score --reward length --set width=0 no_completion.jsonl", "expected length.width >= 1, found 0"},
      {"score --reward length no_completion.jsonl", "no_completion.jsonl:2: expected a field 'completion', found none"},
      {"score --reward gsm8k_accuracy one_completion.jsonl",
       "one_completion.jsonl:1: gsm8k_accuracy: expected a reference with one number, which 64-bit integers can say as a fraction, found "
       "''"},
      {"score --reward math_accuracy one_completion.jsonl",
       "one_completion.jsonl:1: math_accuracy: expected a reference with an answer of 1 to 1000 bytes, found ''"},
      {"score --reward gsm8k_accuracy second_without_reference.jsonl",
       "second_without_reference.jsonl:2: gsm8k_accuracy: expected a reference"},
      {"score --reward format --set answer='a b' one_completion.jsonl",
       "format: expected a tag's name of letters, digits, _ and -, found 'a b'"},
      {"score --reward tag_count --set answer=think one_completion.jsonl", "tag_count: expected different names"},
      {"questions summs", "did you mean sums?"},
      {"questions sums --set most_term=3", "did you mean sums.most_terms?"},
      {"questions sums --set largest=1", "sums: expected 2000 + 100 + 200 distinct questions"},
      {"questions sums --split tests", "--split: expected training, validation or test, found 'tests'"},
      {"questions gsm8k --data nowhere", "nowhere/gsm8k/train.jsonl"},
      {"report nowhere", "nowhere: expected a run directory"},
      {"score moves.json", "score: expected either --reward-model or --reward, found neither"},
      {"score --reward length moves.json", "moves.json:1: expected"},
      {"score --reward lenght moves.json", "did you mean length?"},
      {"score --reward length --set target=1 absent.jsonl", "absent.jsonl: expected a file, found none"},
      {"score --reward-model absent moves.json", "absent: expected a model's config.json, found none"},
      {"train-lm --data moves.json --dir new", "train-lm: expected --tokenizer or --model, found neither"},
      {"train-lm --data moves.json --dir new --tokenizer absent", "absent"},
      {"train-lm --data moves.json --dir new --model tiny --set model.layers=1", "expected model keys only for a new model"},
      {"train-lm --data moves.json --dir new --model tiny --set training.epoch=1", "did you mean training.epochs?"},
      {"train-reward --data moves.json --dir new", "train-reward: expected --tokenizer or --model, found neither"},
      {"data nosuch", "found 'nosuch'"},
      {"data celeba --check nowhere", "expected a folder to check"},
      {"data mnist_fmnist --check nowhere", "expected a folder to check"},
      {"list nothing", "expected one of strategies"},
      {"list strategies nothing", "found 'nothing'"},
      {"federate " + kQuadratics + " --carrier socket --dir new", "--carrier: expected one of flower,sockets, found 'socket'"},
      {"federate " + kQuadratics + " --carrier sockets --parties 3 --dir new", "federate: expected --parties with Flower alone"},
      {"generate --model nowhere --prompt a", "nowhere: expected a model's folder, found none"},
      {"sweep --resume nowhere", "sweep: expected the folder of a sweep after --resume, or --dir DIR, found 'nowhere'"},
      {"run table.toml --dir new", "data.root is 'absent' below the current folder (evaluate takes another one with --data)"},
      {"evaluate .", "expected a run in ., found no config.toml there, but in ./cut"},
      {"run misspelt.toml", "config: expected strategy.name, found the unknown key stratgy; did you mean strategy?"},
      {"run " + kArithmetic + " --dir new", "--set workload.model="},
      with_set("strategy.name=fedavg", "found the unknown key strategy.server_lr; the strategy fedavg has no such option"),
      {"sweep " + kQuadratics + " --dir new --over strategy.nam=1,2", "did you mean strategy.name?"},
      {"sweep " + kQuadratics + " --dir new --over seed", "--over: expected key=v1,v2"},
      {"sweep " + kQuadratics + " --dir new --set rounds=1 --reference 1,b", "--reference: expected a number"},
      {"sweep " + kQuadratics + " --dir new --set rounds=1 --reference 1,2", "reference point: expected 3 numbers for quadratics"},
      {"sweep " + kQuadratics + " --dir new --set rounds=1 --front-csv nowhere/front.csv",
       "--front-csv: expected a file in a folder that exists, found nowhere/front.csv"},
      {"sweep " + kQuadratics + " --dir new --jobs 0x2", "--jobs: expected a whole number, found '0x2'"},
      {"epsilon --noise-multiplier 1 --sampling-rate 0.1 --delta 1e-5 --rounds 1.5", "--rounds: expected a whole number, found '1.5'"},
      {"epsilon --noise-multiplier 1 --sampling-rate 0.1 --delta 1e-5 --rounds 99999999999999999999",
       "--rounds: expected a whole number, found '99999999999999999999'"},
      {"sweep " + kQuadratics + " --dir new --seeds 3..1", "--seeds: expected a range of 1 to 10000 seeds"},
  };
  return kCases;
}

INSTANTIATE_TEST_SUITE_P(All, BadInput, testing::ValuesIn(cases()));

}  // namespace
}  // namespace paretofl
