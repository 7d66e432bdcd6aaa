#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/commands.h"
#include "apps/input_text.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/tokenizer.h"

namespace paretofl {
namespace {

constexpr const char* kTokenizeFooter =
    R"(Reads a text from standard input, every byte of it, and prints {"ids": [..]}: its tokens' numbers. With --decode it
is the other way round: {"ids": [..]} on standard input, their text, byte for byte, on standard output.

--tokenizer names a tokenizer.json, a SentencePiece tokenizer.model, a vocab.json with its merges.txt beside it, or a
folder with one of these. The special and added tokens of a tokenizer_config.json beside it are added to it. Special
and added tokens that occur in the text are recognized.

--special  adds the special tokens that the vocabulary puts around a text; with --decode, leaves special tokens out
--lines    every line of the input, without its end, is a text (or an {"ids": [..]}) and gives one line of JSON
--json     with --decode, prints {"text": ".."}, as --lines does; bytes that are not UTF-8 become U+FFFD

Example: from a text to tokens and back, with the files of GPT-2 in the folder gpt2
  printf 'Hello world' | paretofl tokenize --tokenizer gpt2
prints
  {"ids":[15496,995]})";

struct TokenizeArguments {
  std::string tokenizer;
  bool decode = false;
  bool special = false;
  bool lines = false;
  bool json = false;
};

TokenIds parse_ids(const std::string& text, const std::string& where) {
  const nlohmann::json json = parse_json(text, where);
  TokenIds ids;
  for (const nlohmann::json& id : JsonObject(json, where).list("ids")) {
    const bool fits = id.is_number_integer() && (!id.is_number_unsigned() || id.get<std::uint64_t>() <= INT32_MAX) && id >= 0;
    expect(fits, "{}: ids: expected whole numbers from 0 to {}, found {}", where, INT32_MAX, id.is_number() ? id.dump() : id.type_name());
    ids.push_back(id.get<TokenId>());
  }
  return ids;
}

void print_json(const char* key, const nlohmann::json& value) {
  const nlohmann::json result = {{key, value}};
  write_output("{}\n", json_text(result));
}

void print_tokens(const TokenizeArguments& arguments) {
  const std::unique_ptr<const Tokenizer> tokenizer = load_tokenizer(arguments.tokenizer);
  const auto print = [&](const std::string& text, const std::string& where) {
    if (!arguments.decode) {
      print_json("ids", tokenizer->encode(text, arguments.special));
      return;
    }
    const std::string decoded = tokenizer->decode(parse_ids(text, where), arguments.special);
    if (arguments.json || arguments.lines) {
      print_json("text", decoded);
    } else {
      write_output_bytes(decoded);
    }
  };
  const std::string input = read_input("-", "a text");
  if (!arguments.lines) return print(input, "standard input");
  for_each_line(input,
                [&](std::string_view line, std::size_t number) { print(std::string(line), fmt::format("standard input:{}", number)); });
}

}  // namespace

void add_tokenize(CLI::App& app) {
  auto* command = app.add_subcommand("tokenize", "Convert a text to the tokens of a published vocabulary, or back");
  auto arguments = std::make_shared<TokenizeArguments>();
  command->add_option("--tokenizer", arguments->tokenizer, "file of the tokenizer, or a folder that contains it")
      ->required()
      ->type_name("FILE|DIR");
  command->add_flag("--decode", arguments->decode, "convert ids to text");
  command->add_flag("--special", arguments->special, "add special tokens, or leave them out with --decode");
  command->add_flag("--lines", arguments->lines, "treat every line as a text of its own");
  command->add_flag("--json", arguments->json, "print JSON with --decode too");
  command->footer(kTokenizeFooter);
  command->callback([arguments] { print_tokens(*arguments); });
}

}  // namespace paretofl
