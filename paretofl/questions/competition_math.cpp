#include "paretofl/questions/competition_math.h"

#include "paretofl/core/error.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

std::vector<Question> parse_competition_math(std::string_view text, std::string_view name) {
  return parse_question_rows(text, name, [](const JsonObject& row) {
    Question question{.prompt = row.text("problem"), .reference = "", .solution = row.text("solution", "")};
    if (question.solution.empty()) {
      question.reference = row.text("answer");
    } else {
      expect(question.solution.find("\\boxed") != std::string::npos, "{}: expected a solution with a \\boxed answer, found '{}'",
             row.where(), shown(question.solution));
      question.reference = question.solution;
    }
    return question;
  });
}

QuestionSet load_competition_math(const QuestionContext& context) {
  return read_question_files(context.data_root / "math", "train-answers.jsonl", "test.jsonl", parse_competition_math);
}

}  // namespace paretofl
