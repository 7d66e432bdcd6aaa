#include "paretofl/questions/mbpp.h"

#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// What a program defines at its outermost level by def and class.
std::vector<std::string> defined_names(std::string_view code) {
  std::vector<std::string> names;
  for_each_line(code, [&](std::string_view line, std::size_t) {
    for (const std::string_view word : {"def ", "class "}) {
      if (!line.starts_with(word)) continue;
      line.remove_prefix(std::min(line.find_first_not_of(' ', word.size()), line.size()));
      names.emplace_back(line.substr(0, line.find_first_of(" (:\t")));
    }
  });
  return names;
}

std::string with_line_feeds(std::string text) {
  std::erase(text, '\r');
  return text;
}

Question mbpp_question(const JsonObject& row) {
  const nlohmann::json& tests = row.list("test_list");
  expect(!tests.empty(), "{}: expected tests, found none", row.where());
  for (const nlohmann::json& test : tests) {
    expect(test.is_string(), "{}: expected texts in 'test_list', found {}", row.where(), test.type_name());
  }
  const std::string code = with_line_feeds(row.text("code"));
  const std::vector<std::string> names = defined_names(code);
  expect(!names.empty(), "{}: expected a function in 'code', found '{}'", row.where(), shown(code));
  const nlohmann::json reference{{"tests", tests}, {"names", names}, {"setup", with_line_feeds(row.text("test_setup_code", ""))}};
  return {.prompt = row.text("text") + "\nOne of the tests that it must pass:\n" + tests[0].get<std::string>(),
          .reference = reference.dump(),
          .solution = code};
}

std::string split_of(const JsonObject& row) {
  if (row.has("split")) return row.text("split");
  const std::int64_t task = row.integer("task_id", 1, 974);
  if (task <= 10) return "prompt";
  if (task <= 510) return "test";
  return task <= 600 ? "validation" : "train";
}

}  // namespace

QuestionSet parse_mbpp(std::string_view text, std::string_view name) {
  QuestionSet set;
  const std::map<std::string, std::vector<Question>*> part_of = {
      {"train", &set.training}, {"validation", &set.validation}, {"test", &set.test}, {"prompt", nullptr}};
  std::vector<std::vector<Question>*> parts;  // of every row, in order
  std::vector<Question> questions = parse_question_rows(text, name, [&](const JsonObject& row) {
    const std::string split = split_of(row);
    const auto part = part_of.find(split);
    expect(part != part_of.end(), "{}: expected the split train, validation, test or prompt, found '{}'", row.where(), shown(split));
    parts.push_back(part->second);
    return mbpp_question(row);
  });
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (parts[i] != nullptr) parts[i]->push_back(std::move(questions[i]));
  }
  return set;
}

QuestionSet load_mbpp(const QuestionContext& context) {
  const std::filesystem::path file = question_file(context.data_root / "mbpp", "mbpp.jsonl");
  return parse_mbpp(read_text(file), file.string());
}

}  // namespace paretofl
