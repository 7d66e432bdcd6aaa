#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "paretofl/registry/registry.h"
#include "paretofl/registry/settings.h"

namespace paretofl {

/// A task whose answer can be checked.
struct Question {
  std::string prompt;         ///< the task in words, without instructions or chat template
  std::string reference;      ///< what the accuracy reward of its kind compares with (Answer::reference)
  std::string solution = {};  ///< a worked solution that ends in the reference; empty if the data has none
};

struct QuestionSet {
  std::vector<Question> training;
  std::vector<Question> validation;  ///< for the choice of a checkpoint; held out of training
  std::vector<Question> test;
};

/// What a set of questions is made from beside its own settings.
struct QuestionContext {
  std::uint64_t seed = 0;
  std::filesystem::path data_root;
};

/// Every set of questions by name.
Registry<QuestionSet(const Settings&, const QuestionContext&)>& question_sets();

}  // namespace paretofl
