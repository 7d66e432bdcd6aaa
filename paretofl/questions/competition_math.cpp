#include "paretofl/questions/competition_math.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/files/data_files.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// What follows the last \boxed or \fbox, nothing without one.
std::string_view after_box(std::string_view solution) {
  std::string_view rest;
  for (const std::string_view command : {"\\boxed", "\\fbox"}) {
    const std::size_t found = solution.rfind(command);
    if (found == std::string_view::npos) continue;
    const std::string_view after = solution.substr(found + command.size());
    if (rest.empty() || after.size() < rest.size()) rest = after;
  }
  return rest;
}

Question question_of(const JsonObject& row) {
  Question question{.prompt = row.text("problem"), .reference = "", .solution = row.text("solution", "")};
  if (question.solution.empty()) {
    question.reference = row.text("answer");
    return question;
  }
  const std::string_view boxed = after_box(question.solution);
  expect(!boxed.empty(), "{}: expected a solution with a \\boxed answer, found '{}'", row.where(), shown(question.solution));
  if (!boxed.starts_with("{}")) question.reference = question.solution;
  return question;
}

}  // namespace

std::vector<Question> parse_competition_math(std::string_view text, std::string_view name) {
  return parse_question_rows(text, name, question_of);
}

std::filesystem::path find_competition_math(const std::filesystem::path& folder, std::string_view part) {
  const std::filesystem::path file = question_file(folder, part == "train" ? "train-answers.jsonl" : "test.jsonl");
  if (std::filesystem::exists(file)) return file;
  for (const std::filesystem::path& unpacked : {folder / part, folder / "MATH" / part}) {
    if (std::filesystem::is_directory(unpacked)) return unpacked;
  }
  return file;
}

std::vector<Question> read_competition_math(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) return read_question_file(place, parse_competition_math);
  std::vector<Question> questions;
  for (const std::filesystem::path& file : data_files(place, {".json"}, true))
    questions.push_back(parse_question(read_text(file), file.string(), question_of));
  expect(!questions.empty(), "{}: expected problems in files *.json, found none", place.string());
  return questions;
}

QuestionSet load_competition_math(const QuestionContext& context) {
  const std::filesystem::path folder = context.data_root / "math";
  std::vector<Question> training = read_competition_math(find_competition_math(folder, "train"));
  QuestionSet set = without_overlap(std::move(training), read_competition_math(find_competition_math(folder, "test")));
  // The published order is by subject, and evaluations may take the first questions alone.
  Random({}, "math validation").shuffle(std::span(set.validation));
  Random({}, "math test").shuffle(std::span(set.test));
  return set;
}

}  // namespace paretofl
