#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/model_files/convert_dtype.h"
#include "paretofl/model_files/llama2c.h"

namespace paretofl {
namespace {

constexpr const char* kConvertFooter = R"(--from names what SOURCE is:
  llama2c      a checkpoint file of the llama2.c project (its first format, float32)
  safetensors  a folder with a model's or an adapter's safetensors files; --dtype says in which number format
               to write them: float32, bfloat16, float16 or float64
OUT_DIR gets config.json and model.safetensors, or an adapter's files, as the transformers and PEFT libraries read them.

--json  prints {"folder": ..} when done

Example: a story teller of 260 thousand parameters, then a sentence of its own
  paretofl convert --from llama2c stories260K.bin runs/stories
  paretofl generate --model runs/stories --prompt-ids 1 --max-new-tokens 32)";

struct ConvertArguments {
  std::string from;
  std::string source;
  std::string folder;
  std::string dtype;
  bool json = false;
};

void convert(const ConvertArguments& arguments) {
  expect(arguments.from == "llama2c" || arguments.from == "safetensors", "convert: expected --from llama2c or safetensors, found '{}'",
         arguments.from);
  std::error_code error;
  expect(!arguments.folder.empty(), "convert: expected the name of a folder to write to, found nothing");
  const bool used = std::filesystem::exists(arguments.folder, error) && !std::filesystem::is_empty(arguments.folder, error);
  expect(!error && !used, "convert: expected {} to be a folder that is new or empty, found {}", arguments.folder,
         error ? error.message() : "files in it");
  if (arguments.from == "llama2c") {
    expect(arguments.dtype.empty(), "convert: expected --dtype with --from safetensors alone, found it with llama2c");
    convert_llama2c(arguments.source, arguments.folder);
  } else {
    expect(!arguments.dtype.empty(), "convert: expected a --dtype to convert to, found none");
    convert_dtype(arguments.source, arguments.folder, arguments.dtype);
  }
  if (arguments.json) write_output("{}\n", json_text(nlohmann::json{{"folder", arguments.folder}}));
}

}  // namespace

void add_convert(CLI::App& app) {
  auto* command = app.add_subcommand("convert", "Convert a language model or adapter to another file format");
  auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("--from", arguments->from, "llama2c or safetensors")->required()->type_name("FORMAT");
  command->add_option("SOURCE", arguments->source, "file or folder to read")->required()->type_name("");
  command->add_option("OUT_DIR", arguments->folder, "folder to write, new or empty")->required()->type_name("");
  command->add_option("--dtype", arguments->dtype, "number format to write")->type_name("NAME");
  command->add_flag("--json", arguments->json, "print the folder as JSON");
  command->footer(kConvertFooter);
  command->callback([arguments] { convert(*arguments); });
}

}  // namespace paretofl
