#include "paretofl/report/example_completions.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

std::vector<ExampleCompletion> parse_example_completions(std::string_view text, std::string_view name) {
  std::vector<ExampleCompletion> examples;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const std::string where = fmt::format("{}:{}", name, number);
    const nlohmann::json json = parse_json(std::string(line), where);
    const JsonObject object(json, where);
    ExampleCompletion& example = examples.emplace_back();
    example.prompt = object.text("prompt");
    example.completion = object.text("completion");
    for (const auto& [objective, value] : object.object("reward").value().items()) {
      expect(value.is_number() || value.is_null(), "{}: expected a number for each reward, found {}", where, value.type_name());
      example.reward.emplace(objective, value.is_null() ? NAN : value.get<double>());
    }
  });
  return examples;
}

std::vector<ExampleCompletion> read_example_completions(const std::filesystem::path& run) {
  const std::filesystem::path file = run / "model" / "completions.jsonl";
  if (!std::filesystem::exists(file)) return {};
  return parse_example_completions(read_text(file), file.string());
}

}  // namespace paretofl
