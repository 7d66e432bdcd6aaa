#include "paretofl/questions/competition_math.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "paretofl/core/ascii.h"
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

bool is_whole_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() == digits_of(text);
}

/// What the braces at the beginning of a text enclose, the whole text where it begins with none. None where they never close.
std::optional<std::string_view> argument_at(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (begin == text.size() || text[begin] != '{') return text.substr(begin);
  int depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '{') {
      ++depth;
    } else if (text[at] == '}' && --depth == 0) {
      return text.substr(begin + 1, at - begin - 1);
    }
  }
  return std::nullopt;
}

/// Refuses a row whose solution ends in another answer than it names, where both are whole numbers and there is one box alone. Published
/// rows spell other answers in several ways, and some solutions box the parts of an answer one by one.
void check_answer(const JsonObject& row, const std::string& solution, std::string_view boxed) {
  const auto answer = row.value().find("answer");
  if (answer == row.value().end() || !answer->is_string()) return;
  const auto named = answer->get<std::string>();
  const std::size_t box = std::min(solution.find("\\boxed"), solution.find("\\fbox"));
  const std::string_view before = std::string_view(solution).substr(0, box);
  const std::size_t last = before.find_last_not_of(" ${(");
  const bool alone = after_box(solution).data() <= solution.data() + box + std::string_view("\\boxed").size();
  const bool has_sign = last != std::string_view::npos && (before[last] == '-' || static_cast<unsigned char>(before[last]) >= 0x80);
  if (!alone || has_sign || !is_whole_number(boxed) || !is_whole_number(named)) return;
  expect(boxed == named, "{}: expected the answer {} that the solution boxes, found the answer '{}'", row.where(), boxed, shown(named));
}

Question question_of(const JsonObject& row) {
  Question question{.prompt = row.text("problem"), .reference = "", .solution = row.text("solution", "")};
  if (question.solution.empty()) {
    question.reference = row.text("answer");
    return question;
  }
  const std::string_view boxed = after_box(question.solution);
  expect(!boxed.empty(), "{}: expected a solution with a \\boxed answer, found '{}'", row.where(), shown(question.solution));
  const auto answer = argument_at(boxed);
  expect(answer.has_value(), "{}: expected a solution whose last box is closed, found '{}'", row.where(), shown(boxed));
  if (answer->find_first_not_of(" \t\r\n") != std::string_view::npos) question.reference = question.solution;
  check_answer(row, question.solution, *answer);
  return question;
}

}  // namespace

std::vector<Question> parse_competition_math(std::string_view text, std::string_view name) {
  return parse_question_rows(text, name, question_of);
}

std::filesystem::path find_competition_math(const std::filesystem::path& folder, std::string_view part) {
  const std::string name = part == "train" ? "train-answers.jsonl" : "test.jsonl";
  const std::filesystem::path place = only_place({folder / name, folder / (name + ".gz"), folder / part, folder / "MATH" / part});
  return place.empty() ? folder / name : place;
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
