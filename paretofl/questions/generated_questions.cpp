#include "paretofl/questions/generated_questions.h"

#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Draws in a row that bring nothing new, after which a family counts as exhausted.
constexpr int kMostMisses = 10000;

}  // namespace

void GeneratedSizes::describe(OptionVisitor& visit) {
  visit.integer("training_questions", training, 1, 10000000, "number of questions for training");
  visit.integer("validation_questions", validation, 0, 1000000, "number of questions to choose a checkpoint by");
  visit.integer("test_questions", test, 0, 1000000, "number of questions for testing");
}

QuestionSet generate_questions(std::string_view name, const GeneratedSizes& sizes, Random random,
                               const std::function<Question(Random& random)>& draw) {
  QuestionSet set;
  struct Side {
    std::vector<Question>& questions;
    std::size_t wanted;
    bool full() const { return questions.size() == wanted; }
  };
  const Side training{set.training, static_cast<std::size_t>(sizes.training)};
  const Side validation{set.validation, static_cast<std::size_t>(sizes.validation)};
  const Side test{set.test, static_cast<std::size_t>(sizes.test)};
  std::set<std::string> seen;
  for (int misses = 0; !(training.full() && validation.full() && test.full());) {
    Question question = draw(random);
    const std::uint64_t tenth = Random({}, question.prompt).below(10);
    const Side& side = tenth == 0 ? test : tenth == 1 ? validation : training;
    if (side.full() || !seen.insert(question.prompt).second) {
      expect(++misses < kMostMisses, "{}: expected {} + {} + {} distinct questions to train, validate and test on, found {} + {} + {}",
             name, sizes.training, sizes.validation, sizes.test, set.training.size(), set.validation.size(), set.test.size());
      continue;
    }
    misses = 0;
    side.questions.push_back(std::move(question));
  }
  return set;
}

Question worked_question(std::string prompt, std::string_view steps, std::int64_t answer) {
  return {.prompt = std::move(prompt),
          .reference = std::to_string(answer),
          .solution = fmt::format("<think>{}</think><answer>{}</answer>", steps, answer)};
}

}  // namespace paretofl
