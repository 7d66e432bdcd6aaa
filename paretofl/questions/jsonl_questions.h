#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paretofl/questions/question_set.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// The fields of a row that make a question, by name. A name with dots, such as "reward_model.ground_truth", is a field in objects within
/// the row, unless the row has a field of the whole name.
struct QuestionFields {
  std::string prompt = "prompt";
  std::string reference = "reference";
  std::string solution = "solution";  ///< optional in every row
  std::string split = "split";        ///< optional, in all rows or in none
};

struct JsonlQuestionOptions {
  std::string train;
  std::string test;
  QuestionFields fields = {};

  void describe(OptionVisitor& visit);
};

/// Questions with a JSON object per line. The prompt is a text, or a list of chat messages that holds one message, of the role user. The
/// reference is a text; a number, which stands for its text as it is written in the row, such as 0.10; or an object, which stands for its
/// JSON text (as the reward code_accuracy reads it), whose numbers are 64-bit integers and doubles. With `splits`, every
/// row's split is added to it, an empty text where no row has one. Throws Error naming `name` and the line on a row that is no such object,
/// an empty prompt or reference, a split other than train, validation and test, and where only some rows have one.
std::vector<Question> parse_jsonl_questions(std::string_view text, std::string_view name, const QuestionFields& fields,
                                            std::vector<std::string>* splits = nullptr);

/// Your own questions: the file `train`, and `test` if it is set, below data_root unless their paths are absolute, plain or packed. With
/// one file its rows' splits say what they are for, and rows without a split are for training; with two files splits are not read. A
/// question for testing is taken out of those for validation and for training, and one for validation out of those for training. Where no
/// row is for validation, without_overlap() decides. Throws Error on bad rows.
QuestionSet load_jsonl_questions(const JsonlQuestionOptions& options, const QuestionContext& context);

}  // namespace paretofl
