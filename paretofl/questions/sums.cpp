#include "paretofl/questions/sums.h"

#include "paretofl/core/error.h"

namespace paretofl {

void SumsOptions::describe(OptionVisitor& visit) {
  sizes.describe(visit);
  visit.integer("fewest_terms", fewest_terms, 2, 100, "number of terms of the shortest sum");
  visit.integer("most_terms", most_terms, 2, 100, "number of terms of the longest sum");
  visit.integer("largest", largest, 1, 1000000000, "largest term");
}

QuestionSet make_sums(const SumsOptions& options, const QuestionContext& context) {
  expect(options.fewest_terms <= options.most_terms, "sums: expected fewest_terms of at most most_terms, found {} and {}",
         options.fewest_terms, options.most_terms);
  const auto term = [&](Random& random) {
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.largest)));
  };
  return generate_questions("sums", options.sizes, Random({.seed = context.seed}, "sums"), [&](Random& random) {
    const auto range = static_cast<std::uint64_t>(options.most_terms - options.fewest_terms + 1);
    const std::int64_t terms = options.fewest_terms + static_cast<std::int64_t>(random.below(range));
    std::int64_t total = term(random);
    std::string prompt = std::to_string(total);
    std::string steps;
    for (std::int64_t i = 1; i < terms; ++i) {
      const std::int64_t next = term(random);
      const bool minus = random.below(2) == 1 && next <= total;
      const std::int64_t result = minus ? total - next : total + next;
      const char sign = minus ? '-' : '+';
      prompt += fmt::format("{}{}", sign, next);
      steps += fmt::format("{}{}{}{}={}", i == 1 ? "" : ", ", total, sign, next, result);
      total = result;
    }
    return worked_question(std::move(prompt), steps, total);
  });
}

}  // namespace paretofl
