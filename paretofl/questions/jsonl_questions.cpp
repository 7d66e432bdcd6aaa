#include "paretofl/questions/jsonl_questions.h"

#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/text/json_field.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// `written` is the row's text. A number is taken from it: a double does not tell 0.10 from 0.1, nor long integers from each other.
std::string reference_of(const JsonObject& row, std::string_view written, const std::string& path) {
  const nlohmann::json& field = needed_field(row, path, &written);
  if (field.is_number()) return std::string(written);
  if (field.is_object()) return field.dump();
  expect(field.is_string(), "{}: expected a text, a number or an object in '{}', found {}", row.where(), printable(path),
         field.type_name());
  const auto text = field.get<std::string>();
  expect(!text.empty(), "{}: expected a reference in '{}', found an empty text", row.where(), printable(path));
  return text;
}

std::string split_of_row(const JsonObject& row, const std::string& path) {
  const nlohmann::json* field = field_at(row.value(), path);
  if (field == nullptr) return "";
  std::string split = text_of_field(row, *field, path);
  expect(split == "train" || split == "validation" || split == "test",
         "{}: expected the split train, validation or test in '{}', found '{}'", row.where(), printable(path), shown(split));
  return split;
}

}  // namespace

void JsonlQuestionOptions::describe(OptionVisitor& visit) {
  visit.text("train", train, "the file of questions, below data.root unless its path is absolute; plain or packed by gzip");
  visit.text("test", test, "a file of test questions; empty: the rows of train whose split is test");
  visit.text("prompt", fields.prompt,
             "the field with the question, a text or a list of one chat message; dots lead into objects within a row");
  visit.text("reference", fields.reference,
             "the field with the answer that rewards compare with, a text, an object, or a number, which stays as it is written");
  visit.text("solution", fields.solution, "the field with a worked solution, which rows may lack");
  visit.text("split", fields.split, "the field that says train, validation or test, of all rows or none; not read where test is set");
}

std::vector<Question> parse_jsonl_questions(std::string_view text, std::string_view name, const QuestionFields& fields,
                                            std::vector<std::string>* splits) {
  std::string first;
  bool any = false;
  return parse_question_rows(text, name, [&](const JsonObject& row, std::string_view written) {
    Question question{
        .prompt = prompt_of_field(row, fields.prompt), .reference = reference_of(row, written, fields.reference), .solution = {}};
    if (const nlohmann::json* solution = field_at(row.value(), fields.solution))
      question.solution = text_of_field(row, *solution, fields.solution);
    if (splits != nullptr) {
      std::string split = split_of_row(row, fields.split);
      expect(!any || split.empty() == first.empty(), "{}: expected a split in every row or in none, found {} after rows {} one",
             row.where(), split.empty() ? "none" : "one", split.empty() ? "with" : "without");
      if (!any) first = split;
      any = true;
      splits->push_back(std::move(split));
    }
    return question;
  });
}

QuestionSet load_jsonl_questions(const JsonlQuestionOptions& options, const QuestionContext& context) {
  expect(!options.train.empty(), "question set jsonl: expected a file of questions in train, found none");
  const auto read = [&](const std::string& file, std::vector<std::string>* splits) {
    const std::filesystem::path path = context.data_root / file;
    return parse_jsonl_questions(read_text(path), path.string(), options.fields, splits);
  };
  if (!options.test.empty()) return without_overlap(read(options.train, nullptr), read(options.test, nullptr));

  std::vector<std::string> splits;
  std::vector<Question> rows = read(options.train, &splits);
  QuestionSet parts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<Question>& part = splits[i] == "test" ? parts.test : splits[i] == "validation" ? parts.validation : parts.training;
    part.push_back(std::move(rows[i]));
  }
  if (parts.validation.empty()) return without_overlap(std::move(parts.training), std::move(parts.test));
  std::set<std::string> held_out;
  const auto without_held_out = [&](std::vector<Question>& part) {
    std::erase_if(part, [&](const Question& question) { return held_out.contains(question.prompt); });
  };
  for (const Question& question : parts.test) held_out.insert(question.prompt);
  without_held_out(parts.validation);
  for (const Question& question : parts.validation) held_out.insert(question.prompt);
  without_held_out(parts.training);
  return parts;
}

}  // namespace paretofl
