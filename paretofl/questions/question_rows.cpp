#include "paretofl/questions/question_rows.h"

#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/held_out.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

std::vector<Question> parse_question_rows(std::string_view text, std::string_view name,
                                          const std::function<Question(const JsonObject& row)>& read) {
  std::vector<Question> questions;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const std::string where = fmt::format("{}:{}", name, number);
    const nlohmann::json json = parse_json(std::string(line), where);
    questions.push_back(read(JsonObject(json, where)));
    expect(!questions.back().prompt.empty(), "{}: expected a question, found an empty text", where);
  });
  expect(!questions.empty(), "{}: expected questions, found none", name);
  return questions;
}

std::filesystem::path question_file(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path packed = folder / (name + ".gz");
  return std::filesystem::exists(packed) ? packed : folder / name;
}

QuestionSet read_question_files(const std::filesystem::path& folder, const std::string& training, const std::string& test,
                                QuestionParser parse) {
  const auto read = [&](const std::string& name) {
    const std::filesystem::path file = question_file(folder, name);
    return parse(read_text(file), file.string());
  };
  QuestionSet set;
  std::vector<Question> all = read(training);
  set.test = read(test);
  std::set<std::string> tested;
  for (const Question& question : set.test) tested.insert(question.prompt);
  HeldOut held_out;
  for (Question& question : all) {
    if (question.reference.empty() || tested.contains(question.prompt)) continue;
    (held_out(question.prompt) ? set.validation : set.training).push_back(std::move(question));
  }
  return set;
}

}  // namespace paretofl
