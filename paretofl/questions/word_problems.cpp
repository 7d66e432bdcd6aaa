#include "paretofl/questions/word_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace paretofl {
namespace {

constexpr std::array kNames = {"Ann", "Ben", "Eva", "Jon", "Kim", "Leo", "Mia", "Sam"};
constexpr std::array kThings = {"apples", "books", "cards", "coins", "eggs", "pens", "shells", "stamps"};

/// A story and the signs of its two steps.
struct Template {
  const char* text;
  char first, second;
};

constexpr std::array kTemplates = {
    Template{"{name} has {a} {thing}. {other} gives {name} {b} more. {name} loses {c}. How many {thing} does {name} have?", '+', '-'},
    Template{"{name} had {a} {thing} and sold {b}. Then {name} found {c}. How many {thing} does {name} have now?", '-', '+'},
    Template{"{name} has {a} {thing}, {other} has {b} more. How many {thing} do {c} people like {other} have?", '+', '*'},
    Template{"There are {a} boxes with {b} {thing} each. {name} takes {c} {thing}. How many {thing} are left?", '*', '-'},
    Template{"{name} buys {a} bags of {b} {thing} and {other} brings {c} {thing}. How many {thing} are there?", '*', '+'},
    Template{"Of {a} {thing}, {name} gets {b} and {other} gets {c}. How many {thing} are left?", '-', '-'},
};

std::int64_t result_of(std::int64_t left, char sign, std::int64_t right) {
  return sign == '+' ? left + right : sign == '-' ? left - right : left * right;
}

}  // namespace

void WordProblemsOptions::describe(OptionVisitor& visit) {
  sizes.describe(visit);
  visit.integer("largest", largest, 5, 1000000, "largest number in a story");
}

QuestionSet make_word_problems(const WordProblemsOptions& options, const QuestionContext& context) {
  const auto from = [](std::int64_t low, std::int64_t high, Random& random) {
    return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  return generate_questions("word_problems", options.sizes, Random({.seed = context.seed}, "word problems"), [&](Random& random) {
    const Template& story = kTemplates[random.below(kTemplates.size())];
    const std::vector<std::size_t> names = random.sample_without_replacement(kNames.size(), 2);
    const char* thing = kThings[random.below(kThings.size())];
    const bool is_product = story.first == '*';
    const auto operand = [&](char sign, std::int64_t left, std::int64_t kept) {
      return sign == '*'   ? from(2, 5, random)
             : sign == '-' ? from(1, std::min(left - kept, options.largest), random)
                           : from(1, options.largest, random);
    };
    const std::int64_t a = is_product ? from(2, 5, random) : from(3, options.largest, random);
    const std::int64_t b = is_product ? from(1, options.largest, random) : operand(story.first, a, story.second == '-' ? 2 : 1);
    const std::int64_t middle = result_of(a, story.first, b);
    const std::int64_t c = operand(story.second, middle, 1);
    const std::int64_t answer = result_of(middle, story.second, c);
    return worked_question(fmt::format(fmt::runtime(story.text), fmt::arg("name", kNames[names[0]]), fmt::arg("other", kNames[names[1]]),
                                       fmt::arg("thing", thing), fmt::arg("a", a), fmt::arg("b", b), fmt::arg("c", c)),
                           fmt::format("{}{}{}={}, {}{}{}={}", a, story.first, b, middle, middle, story.second, c, answer), answer);
  });
}

}  // namespace paretofl
