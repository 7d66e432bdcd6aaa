#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/runs/model_export.h"

namespace paretofl {
namespace {

struct ExportArguments {
  std::string run;
  std::string format;
  std::string output;
  std::optional<int> client;
  std::optional<std::string> preference;
  bool json = false;
};

void write_model(const ExportArguments& arguments) {
  ExportRequest request{.run = arguments.run, .format = arguments.format, .output = arguments.output, .client = arguments.client};
  if (arguments.preference) request.preference = parse_point(*arguments.preference, "--preference");
  const ExportOutcome outcome = export_model(request);
  if (!arguments.json) return write_output_path(arguments.output);
  nlohmann::ordered_json json{{"file", arguments.output},
                              {"format", arguments.format},
                              {"round", outcome.round},
                              {"tensors", outcome.tensors},
                              {"parameters", outcome.parameters}};
  if (arguments.client) json["client"] = *arguments.client;
  if (request.preference) json["preference"] = *request.preference;
  write_output("{}\n", json_text(json));
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write a run's trained model for other programs");
  const auto arguments = std::make_shared<ExportArguments>();
  command->add_option("RUN", arguments->run, "run directory")->required()->type_name("");
  command->add_option("--format", arguments->format, kExportFormats)->required()->type_name("FORMAT");
  command->add_option("--output", arguments->output, "file to write")->required()->type_name("FILE");
  command->add_option("--client", arguments->client, "whose model, where clients have models of their own that differ")
      ->transform(whole_number())
      ->type_name("N");
  command
      ->add_option("--preference", arguments->preference,
                   "which model, of pareto_manifold: one number per objective, such as 0.3,0.7 (default: uniform); the networks of the "
                   "agents envelope_dqn and capql take it as an input instead")
      ->type_name("R");
  command->add_flag("--json", arguments->json,
                    "print {\"file\", \"format\", \"round\", \"tensors\", \"parameters\"} instead of the file's name");
  command->footer(
      "The model is the one that evaluation.choose_by chose, or that of the newest checkpoint.\n"
      "  safetensors  one float32 tensor for each part of the model, and metadata\n"
      "  numpy        the same as a .npz file, which numpy.load reads\n"
      "  onnx         the network itself, of models of images, molecules, agents and tables; not of language models\n\n"
      "Example: a classifier for PyTorch and for ONNX Runtime; the model of one client;\n"
      "that for a preference\n"
      "  paretofl export runs/glyphs --format safetensors --output glyphs.safetensors\n"
      "  paretofl export runs/glyphs --format onnx --output glyphs.onnx\n"
      "  paretofl export runs/personal --client 3 --format numpy --output client-3.npz\n"
      "  paretofl export runs/manifold --preference 0.3,0.7 --format numpy --output model.npz");
  command->callback([arguments] { write_model(*arguments); });
}

}  // namespace paretofl
