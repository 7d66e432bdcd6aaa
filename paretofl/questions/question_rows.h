#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"
#include "paretofl/text/json_object.h"

namespace paretofl {

using QuestionReader = std::function<Question(const JsonObject& object)>;
/// The same with the object's text, as it stands in the file.
using QuestionTextReader = std::function<Question(const JsonObject& object, std::string_view text)>;

/// The question of a text that is one JSON object, as `read` takes it from the object. Throws Error naming `where` on what is
/// no such object.
Question parse_question(const std::string& text, const std::string& where, const QuestionReader& read);
Question parse_question(const std::string& text, const std::string& where, const QuestionTextReader& read);

/// A question of every line of a text of JSON objects, one per line; blank lines are passed over. Throws Error naming `name`
/// and the line on anything that is not such an object, and if there are none.
std::vector<Question> parse_question_rows(std::string_view text, std::string_view name, const QuestionReader& read);
std::vector<Question> parse_question_rows(std::string_view text, std::string_view name, const QuestionTextReader& read);

/// The one of these places that is there, an empty path if none is. Throws Error naming two that both are.
std::filesystem::path only_place(const std::vector<std::filesystem::path>& places);

/// The file of that name in a folder, or the one with .gz behind the name if that is there. Throws Error naming both if both are.
std::filesystem::path question_file(const std::filesystem::path& folder, const std::string& name);

/// Reads questions of a text, called `name` in messages.
using QuestionParser = std::vector<Question> (*)(std::string_view text, std::string_view name);

/// The questions of a file, plain or packed. Throws Error if it is missing, damaged, or not what `parse` reads.
std::vector<Question> read_question_file(const std::filesystem::path& file, QuestionParser parse);

/// Questions to train on and to test on. Of every ten distinct training questions the last is held out for validation
/// (text/held_out.h); questions without a reference, and training questions that are test questions too, are left out.
QuestionSet without_overlap(std::vector<Question> training, std::vector<Question> test);

}  // namespace paretofl
