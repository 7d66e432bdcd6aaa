#include "paretofl/parties/question_lines.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

void write_question_lines(std::span<const QuestionLine> lines, const std::filesystem::path& file) {
  std::string text;
  for (const QuestionLine& line : lines) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!line.task.empty()) json["task"] = line.task;
    json["prompt"] = line.prompt;
    if (!line.reference.empty()) json["reference"] = line.reference;
    text += json_text(json) + "\n";
  }
  write_whole_file(file, text);
}

std::vector<QuestionLine> parse_question_lines(std::string_view text, const std::string& file) {
  std::vector<QuestionLine> lines;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const std::string where = fmt::format("{}:{}", file, number);
    const nlohmann::json json = parse_json(line, where);
    const JsonObject object(json, where);
    lines.push_back({object.text("task", ""), object.text("prompt"), object.text("reference", "")});
    expect(!lines.back().prompt.empty(), "{}: prompt: expected a text, found an empty one", where);
  });
  expect(!lines.empty(), "{}: expected at least one line, found none", file);
  return lines;
}

std::vector<QuestionLine> read_question_lines(const std::filesystem::path& file) {
  return parse_question_lines(read_text(file), file.string());
}

}  // namespace paretofl
