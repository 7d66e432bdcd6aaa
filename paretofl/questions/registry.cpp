#include "paretofl/questions/competition_math.h"
#include "paretofl/questions/dapo_math.h"
#include "paretofl/questions/expressions.h"
#include "paretofl/questions/gsm8k.h"
#include "paretofl/questions/humaneval.h"
#include "paretofl/questions/jsonl_questions.h"
#include "paretofl/questions/mbpp.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/questions/sums.h"
#include "paretofl/questions/word_problems.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

using QuestionSetFactory = QuestionSet(const Settings&, const QuestionContext&);

/// A published set, which has no options.
Registry<QuestionSetFactory>::Entry published(std::string name, std::string summary, std::string reference,
                                              QuestionSet (*load)(const QuestionContext&)) {
  return {{name, std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [name, load](const Settings& settings, const QuestionContext& context) {
            OptionReader(settings, name).finish();
            return load(context);
          }};
}

/// One with options.
template <class Options>
Registry<QuestionSetFactory>::Entry with_options(std::string name, std::string summary,
                                                 QuestionSet (*make)(const Options&, const QuestionContext&)) {
  return {{name, std::move(summary), "", described<Options>()}, [name, make](const Settings& settings, const QuestionContext& context) {
            return make(read_options<Options>(settings, name), context);
          }};
}

}  // namespace

Registry<QuestionSetFactory>& question_sets() {
  static Registry<QuestionSetFactory> registry(
      "question set",
      {published("gsm8k", "word problems of grade school, from the published files", "Cobbe et al. 2021", load_gsm8k),
       published("math", "problems from mathematics competitions, from the published files", "Hendrycks et al. 2021",
                 load_competition_math),
       published("mbpp", "small Python programs, from the published file", "Austin et al. 2021", load_mbpp),
       published("humaneval", "Python functions to complete, only for testing, from the published file", "Chen et al. 2021",
                 load_humaneval),
       published("dapo_math", "problems from mathematics competitions, only for training, from a JSON lines export of DAPO-Math-17k",
                 "Yu et al. 2025", load_dapo_math),
       with_options("jsonl", "questions of your own, a JSON object per line", load_jsonl_questions),
       with_options("sums", "chains of additions and subtractions; needs no file", make_sums),
       with_options("expressions", "sums, differences and products with parentheses; needs no file", make_expressions),
       with_options("word_problems", "short stories about numbers of things; needs no file", make_word_problems)});
  return registry;
}

}  // namespace paretofl
