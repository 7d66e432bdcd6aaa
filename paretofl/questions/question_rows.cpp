#include "paretofl/questions/question_rows.h"

#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/held_out.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

QuestionTextReader without_text(const QuestionReader& read) {
  return [&read](const JsonObject& object, std::string_view) { return read(object); };
}

}  // namespace

Question parse_question(const std::string& text, const std::string& where, const QuestionReader& read) {
  return parse_question(text, where, without_text(read));
}

Question parse_question(const std::string& text, const std::string& where, const QuestionTextReader& read) {
  const nlohmann::json json = parse_json(text, where);
  Question question = read(JsonObject(json, where), text);
  expect(!question.prompt.empty(), "{}: expected a question, found an empty text", where);
  return question;
}

std::vector<Question> parse_question_rows(std::string_view text, std::string_view name, const QuestionReader& read) {
  return parse_question_rows(text, name, without_text(read));
}

std::vector<Question> parse_question_rows(std::string_view text, std::string_view name, const QuestionTextReader& read) {
  std::vector<Question> questions;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    questions.push_back(parse_question(std::string(line), fmt::format("{}:{}", name, number), read));
  });
  expect(!questions.empty(), "{}: expected questions, found none", name);
  return questions;
}

std::filesystem::path only_place(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> found;
  for (const std::filesystem::path& place : places) {
    std::error_code failure;
    if (std::filesystem::exists(place, failure)) found.push_back(place);
  }
  expect(found.size() <= 1, "{}: expected it without {} beside it, as their questions may differ; found both",
         found.empty() ? "" : found[0].string(), found.size() < 2 ? "" : found[1].string());
  return found.empty() ? std::filesystem::path() : found[0];
}

std::filesystem::path question_file(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path file = only_place({folder / name, folder / (name + ".gz")});
  return file.empty() ? folder / name : file;
}

std::vector<Question> read_question_file(const std::filesystem::path& file, QuestionParser parse) {
  return parse(read_text(file), file.string());
}

QuestionSet without_overlap(std::vector<Question> training, std::vector<Question> test) {
  QuestionSet set;
  set.test = std::move(test);
  std::erase_if(set.test, [](const Question& question) { return question.reference.empty(); });
  std::set<std::string> tested;
  for (const Question& question : set.test) tested.insert(question.prompt);
  HeldOut held_out;
  for (Question& question : training) {
    if (question.reference.empty() || tested.contains(question.prompt)) continue;
    (held_out(question.prompt) ? set.validation : set.training).push_back(std::move(question));
  }
  return set;
}

}  // namespace paretofl
