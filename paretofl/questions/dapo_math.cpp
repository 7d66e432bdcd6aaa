#include "paretofl/questions/dapo_math.h"

#include <set>

#include "paretofl/questions/jsonl_questions.h"
#include "paretofl/questions/question_rows.h"

namespace paretofl {

std::vector<Question> parse_dapo_math(std::string_view text, std::string_view name) {
  constexpr std::string_view kBefore =
      "Solve the following math problem step by step. The last line of your response should be of the form Answer: $Answer (without "
      "quotes) "
      "where $Answer is the answer to the problem.\n\n";
  constexpr std::string_view kAfter = "\n\nRemember to put your answer on its own line after \"Answer:\".";
  std::set<std::string> seen;
  std::vector<Question> distinct;
  const QuestionFields fields{.prompt = "prompt", .reference = "reward_model.ground_truth"};
  for (Question& question : parse_jsonl_questions(text, name, fields)) {
    std::string_view problem = question.prompt;
    if (problem.starts_with(kBefore) && problem.ends_with(kAfter) && problem.size() > kBefore.size() + kAfter.size()) {
      problem.remove_prefix(kBefore.size());
      problem.remove_suffix(kAfter.size());
      question.prompt = std::string(problem);
    }
    if (seen.insert(question.prompt).second) distinct.push_back(std::move(question));
  }
  return distinct;
}

QuestionSet load_dapo_math(const QuestionContext& context) {
  return without_overlap(read_question_file(question_file(context.data_root / "dapo_math", "dapo-math-17k.jsonl"), parse_dapo_math), {});
}

}  // namespace paretofl
