#include "paretofl/questions/humaneval.h"

#include <nlohmann/json.hpp>

#include "paretofl/questions/question_rows.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

std::vector<Question> parse_humaneval(std::string_view text, std::string_view name) {
  return parse_question_rows(text, name, [](const JsonObject& row) {
    const nlohmann::json reference{{"prompt", row.text("prompt")}, {"check", row.text("test")}, {"entry_point", row.text("entry_point")}};
    return Question{.prompt = row.text("prompt"), .reference = reference.dump(), .solution = row.text("canonical_solution")};
  });
}

QuestionSet load_humaneval(const QuestionContext& context) {
  const std::filesystem::path file = question_file(context.data_root / "humaneval", "HumanEval.jsonl");
  return {.training = {}, .validation = {}, .test = parse_humaneval(read_text(file), file.string())};
}

}  // namespace paretofl
