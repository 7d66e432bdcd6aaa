#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "apps/seed_option.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/language/causal_lm.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/tokenizers/completion_text.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {
namespace {

constexpr const char* kGenerateFooter =
    R"(--model names a folder with config.json and model.safetensors (or its shards) of a Llama, Mistral, Qwen2, Qwen3, SmolLM,
Phi-3, Phi-4 mini, Gemma, Gemma 2, Gemma 3 (text) or GPT-2; --adapter one with a LoRA adapter in PEFT's format, such as the folder model/ of
a run. With an adapter, --model may be left out: the base model is then the one that the adapter's adapter_config.json
names. Prints one JSON object:
  ids       the tokens that follow the prompt
  text      the same as text; null without a tokenizer, and bytes that are not UTF-8 become U+FFFD
  logprobs  their log-probabilities (natural logarithm, at temperature 1)
  logits    with --logits, one number per token of the vocabulary: the model's after the prompt
With --generation-weights int8, which rounds the matrices of the base model to 8 bits as workload.grpo.generation_weights
does, logprobs and logits are those of the rounded model, which the tokens are drawn from, not of the model in float32.

The prompt is a text, encoded by the tokenizer in the model's folder or that of --tokenizer with the special tokens that
it puts in front, or token ids. Temperature 0, the default, takes the most probable token. A completion has
--max-new-tokens tokens unless --stop or --stop-at-eos end it; the token that does is part of it.

Example: from a tiny model made by `paretofl convert`
  paretofl generate --model runs/stories --prompt-ids 1 --max-new-tokens 3 --temperature 0
prints ids, text and logprobs of three tokens)";

struct GenerateArguments {
  std::string model;
  std::string adapter;
  std::string tokenizer;
  std::string prompt;
  std::vector<TokenId> prompt_ids;
  Sampling sampling = {.temperature = 0, .stop = {}};
  bool stop_at_eos = false;
  bool logits = false;
  bool has_prompt = false;
  std::uint64_t seed = 1;
  ModelPlacement placement;
  std::string generation_weights = "float32";
};

bool has_tokenizer(const std::filesystem::path& folder) {
  for (const char* name : {"tokenizer.json", "tokenizer.model", "vocab.json"}) {
    if (std::filesystem::exists(folder / name)) return true;
  }
  return false;
}

std::unique_ptr<const Tokenizer> find_tokenizer(const GenerateArguments& arguments) {
  if (!arguments.tokenizer.empty()) return load_tokenizer(arguments.tokenizer);
  return has_tokenizer(arguments.model) ? load_tokenizer(arguments.model) : nullptr;
}

void print_completion(GenerateArguments arguments) {
  const bool adapted = !arguments.adapter.empty();
  expect(adapted || !arguments.model.empty(), "generate: expected --model DIR, or --adapter DIR that names its base model, found neither");
  if (arguments.model.empty()) arguments.model = read_peft_base(arguments.adapter).string();
  const bool by_ids = !arguments.prompt_ids.empty();
  expect(by_ids != arguments.has_prompt, "generate: expected one of --prompt and --prompt-ids, found {}", by_ids ? "both" : "neither");
  expect(by_ids || std::filesystem::is_directory(arguments.model), "{}: expected a model's folder, found none", printable(arguments.model));
  const std::unique_ptr<const Tokenizer> tokenizer = find_tokenizer(arguments);
  expect(by_ids || tokenizer != nullptr, "{}: expected a tokenizer for --prompt in the model's folder or by --tokenizer, found none",
         arguments.model);
  const TokenIds prompt = by_ids ? arguments.prompt_ids : tokenizer->encode(arguments.prompt, true);
  expect(arguments.sampling.temperature > 0 || (arguments.sampling.top_k == 0 && arguments.sampling.top_p == 1),
         "generate: expected a --temperature above 0 with --top-k or --top-p, found 0, which takes the most probable token");
  expect(!prompt.empty(), "generate: expected a prompt of at least one token, found an empty text, to which the tokenizer adds none");
  const LoraOptions lora = adapted ? read_peft_options(arguments.adapter) : LoraOptions{.rank = 0};
  const std::shared_ptr<const CausalLm> model = load_causal_lm(arguments.model, lora, arguments.placement);
  const std::vector<float> adapter = adapted ? read_peft_adapter(arguments.adapter, *model->adapter_layout()) : std::vector<float>();
  for (const TokenId id : arguments.sampling.stop) {
    expect(id >= 0 && id < model->config().vocab_size, "--stop: expected tokens from 0 to {}, found {}", model->config().vocab_size - 1,
           id);
  }
  Sampling sampling = arguments.sampling;
  sampling.weights = parse_generation_weights(arguments.generation_weights);
  if (arguments.stop_at_eos) {
    const auto& ends = model->config().eos_token_ids;
    expect(!ends.empty(), "{}: expected an eos_token_id for --stop-at-eos, found none", arguments.model);
    sampling.stop.insert(sampling.stop.end(), ends.begin(), ends.end());
  }
  const Completion completion = model->generate({&prompt, 1}, adapter, sampling, {}, Random({arguments.seed}, "generate")).front();
  nlohmann::ordered_json result;
  result["ids"] = completion.ids;
  result["text"] = nullptr;
  if (tokenizer) result["text"] = decode_drawn(*tokenizer, completion.ids);
  result["logprobs"] = completion.logprobs;
  if (arguments.logits) {
    const std::vector<float> logits = model->logits(prompt, adapter, sampling.weights);
    result["logits"] = std::vector<float>(logits.end() - model->config().vocab_size, logits.end());
  }
  write_output("{}\n", json_text(result));
}

}  // namespace

void add_generate(CLI::App& app) {
  auto* command = app.add_subcommand("generate", "Continue a prompt with a language model");
  auto arguments = std::make_shared<GenerateArguments>();
  Sampling& sampling = arguments->sampling;
  command->add_option("--model", arguments->model, "folder of the model (default: the base model of the adapter)")->type_name("DIR");
  command->add_option("--adapter", arguments->adapter, "folder of a LoRA adapter")->type_name("DIR");
  command->add_option("--tokenizer", arguments->tokenizer, "file or folder of the tokenizer (default: the model's folder)")
      ->type_name("FILE|DIR");
  const CLI::Option* prompt = command->add_option("--prompt", arguments->prompt, "text to continue")->type_name("TEXT");
  command->add_option("--prompt-ids", arguments->prompt_ids, "tokens to continue: 1,2,3")
      ->delimiter(',')
      ->transform(whole_number())
      ->type_name("IDS");
  command->add_option("--max-new-tokens", sampling.max_new_tokens, "tokens to generate (default: 64)")
      ->transform(whole_number())
      ->type_name("N");
  command->add_option("--temperature", sampling.temperature, "sampling temperature; 0 takes the most probable token (default: 0)")
      ->check(real_number())
      ->type_name("T");
  command->add_option("--top-k", sampling.top_k, "sample from the K most probable tokens; 0: from all (default: 0)")
      ->transform(whole_number())
      ->type_name("K");
  command->add_option("--top-p", sampling.top_p, "sample from the smallest set of tokens with probability P (default: 1)")
      ->check(real_number())
      ->type_name("P");
  add_seed(*command, arguments->seed, "seed of the sampling (default: 1)");
  command->add_option("--stop", sampling.stop, "tokens that end the completion: 1,2")
      ->delimiter(',')
      ->transform(whole_number())
      ->type_name("IDS");
  command->add_flag("--stop-at-eos", arguments->stop_at_eos, "end at the eos_token_id of the model's config.json");
  command->add_flag("--logits", arguments->logits, "also print the logits after the prompt");
  command->add_option("--device", arguments->placement.device, "cpu, cuda or cuda:N (default: cpu)")->type_name("NAME");
  command
      ->add_option("--dtype", arguments->placement.dtype,
                   "number format of the parameters: float32, bfloat16 or float64 (default: float32)")
      ->type_name("NAME");
  command
      ->add_option(
          "--generation-weights", arguments->generation_weights,
          "matrices of the base model: float32, as they are, or int8, rounded to 8 bits, which is faster on the CPU (default: float32)")
      ->type_name("NAME");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kGenerateFooter);
  command->callback([arguments, prompt] {
    arguments->has_prompt = prompt->count() > 0;
    print_completion(*arguments);
  });
}

}  // namespace paretofl
