#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"
#include "paretofl/text/json_object.h"

namespace paretofl {

/// A question of every line of a text of JSON objects, one per line, as `read` takes it from the object; blank lines are
/// passed over. Throws Error naming `name` and the line on what is no such object, and where there are none.
std::vector<Question> parse_question_rows(std::string_view text, std::string_view name,
                                          const std::function<Question(const JsonObject& row)>& read);

/// The file of that name in a folder, or the one with .gz behind the name if that is there.
std::filesystem::path question_file(const std::filesystem::path& folder, const std::string& name);

/// Reads questions of a text, called `name` in messages.
using QuestionParser = std::vector<Question> (*)(std::string_view text, std::string_view name);

/// Questions to train on and to test on, from two files (question_file()) of a folder. Of every ten distinct training
/// questions the last is held out for validation (text/held_out.h); training questions that are test questions too, or
/// have no answer, are left out.
QuestionSet read_question_files(const std::filesystem::path& folder, const std::string& training, const std::string& test,
                                QuestionParser parse);

}  // namespace paretofl
