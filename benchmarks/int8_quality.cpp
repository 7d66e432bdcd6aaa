// How far a language model with weights rounded to 8 bits, as generation_weights = "int8" draws completions with, is from itself in
// float32. On a text: the share of positions at which both predict the same token, and both perplexities. On completions that the rounded
// model drew at temperature 1: the mean of |log q - log p| of the drawn tokens under the rounded model q and the model p, and KL(q || p)
// per token.
//   int8_quality --model DIR --corpus FILE    a model's folder, and documents separated by blank lines, of which every tenth distinct
//                                             one is the text, as `paretofl train-lm` holds it out
//   int8_quality --random                     the random model of 110 million parameters of language_benchmark, on random tokens
// The first half of each of the first --completions windows is the prompt of a completion as long as the other half.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "benchmarks/random_llamas.h"
#include "benchmarks/rounding_quality.h"
#include "paretofl/core/error.h"
#include "paretofl/text/held_out.h"
#include "paretofl/text/text_documents.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/tokenizer.h"
#include "paretofl/tokenizers/training_tokens.h"

namespace paretofl {
namespace {

struct Arguments {
  std::string model;
  std::string corpus;
  bool random = false;
  std::size_t context = 128;
  std::size_t windows = 0;
  std::size_t completions = 64;
};

std::vector<TokenIds> held_out_windows(const Arguments& arguments) {
  const auto tokenizer = load_tokenizer(arguments.model);
  HeldOut held_out;
  std::vector<TokenIds> documents;
  for (const std::string& document : text_documents(read_text(arguments.corpus))) {
    if (held_out(document)) documents.push_back(dialogue_tokens(*tokenizer, document));
  }
  return token_windows(documents, arguments.context);
}

void print_quality(const Arguments& arguments) {
  const bool one =
      arguments.random ? arguments.model.empty() && arguments.corpus.empty() : !arguments.model.empty() && !arguments.corpus.empty();
  expect(one, "int8_quality: expected --random, or --model DIR and --corpus FILE, found --random {}, --model '{}' and --corpus '{}'",
         arguments.random, arguments.model, arguments.corpus);
  const auto model =
      arguments.random ? random_causal_lm(large(), Random({1}, "model"), {.rank = 0}) : load_causal_lm(arguments.model, {.rank = 0});
  std::vector<TokenIds> windows = arguments.random
                                      ? random_sequences(large(), std::max(arguments.windows, arguments.completions), arguments.context)
                                      : held_out_windows(arguments);
  if (arguments.windows > 0) windows.resize(std::min(arguments.windows, windows.size()));
  expect(!windows.empty(), "{}: expected at least ten documents, found fewer", arguments.corpus);
  std::vector<TokenIds> prompts;
  for (const TokenIds& window : windows) {
    if (prompts.size() == arguments.completions || window.size() < arguments.context) break;
    prompts.emplace_back(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(arguments.context / 2));
  }
  expect(!prompts.empty(), "{}: expected {} held-out tokens, found fewer", arguments.corpus, arguments.context);
  const auto length = static_cast<std::int64_t>(arguments.context - arguments.context / 2);
  const RoundingQuality quality = rounding_quality(*model, {}, windows, prompts, length, Random({1}, "int8_quality"));
  fmt::print("text: {:.0f} positions, the same most probable token at {:.2f} %, perplexity {:.6g} in float32, {:.6g} in int8\n",
             quality.positions, 100 * quality.agreement, quality.perplexity, quality.rounded_perplexity);
  fmt::print("drawn in int8: {:.0f} tokens, log-probabilities differ by {:.2g} in the mean, KL(int8 || float32) {:.2g} nats per token\n",
             quality.drawn, quality.logprob_difference, quality.divergence);
}

}  // namespace
}  // namespace paretofl

int main(int argc, char** argv) {
  paretofl::Arguments arguments;
  CLI::App app("How far a language model in 8 bits is from itself in float32");
  app.add_option("--model", arguments.model, "folder of the model")->type_name("DIR");
  app.add_option("--corpus", arguments.corpus, "text whose held-out documents are measured on")->type_name("FILE");
  app.add_flag("--random", arguments.random, "a random model of 110 million parameters, on random tokens");
  app.add_option("--context", arguments.context, "tokens of a window (128)")->check(CLI::Range(2, 1 << 20));
  app.add_option("--windows", arguments.windows, "windows of the text; 0: all, of random ones as many as completions (0)");
  app.add_option("--completions", arguments.completions, "completions (64)")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    paretofl::print_quality(arguments);
  } catch (const paretofl::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
