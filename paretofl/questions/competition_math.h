#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"

namespace paretofl {

/// Problems of MATH (Hendrycks et al. 2021, "Measuring Mathematical Problem Solving With the MATH Dataset"): a JSON object
/// per line with the text `problem` and either `solution`, in which the answer is boxed and which is the reference as a
/// whole, or only `answer`, the reference. A question whose answer is empty, as two published ones are, has an empty
/// reference. Throws Error naming `name` and the line on anything else, such as a solution whose last box is never closed, or whose only
/// box holds another whole number than `answer` is.
std::vector<Question> parse_competition_math(std::string_view text, std::string_view name);

/// Where the problems of `part` ("train" or "test") are in the folder: train-answers.jsonl (the training problems with their
/// final answers alone) or test.jsonl, plain or with .gz behind the name; or the folder `part` of the published archive,
/// unpacked there or in MATH/. Where there is none, the name of the JSON file. Throws Error naming two of these that both are there.
std::filesystem::path find_competition_math(const std::filesystem::path& folder, std::string_view part);

/// The problems of such a file, or of a folder of the archive: one JSON object in each file *.json of its subjects' folders,
/// in the order of their names. Throws Error naming the file that is missing or no problem.
std::vector<Question> read_competition_math(const std::filesystem::path& place);

/// Both parts of math/ under data_root, without_overlap(). Validation and test are shuffled, always alike, so that their first
/// questions are of all subjects.
QuestionSet load_competition_math(const QuestionContext& context);

}  // namespace paretofl
