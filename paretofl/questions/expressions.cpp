#include "paretofl/questions/expressions.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Redraws of a tree after which no other is expected to stay within the limit.
constexpr int kMostRedraws = 10000;

struct Expression {
  std::string text;
  std::string steps;
  std::int64_t value = 0;
  char operation = 0;  // of its root; 0: a leaf
  bool within = true;  // every node's value is in [0, limit]
};

bool additive(char operation) { return operation == '+' || operation == '-'; }

std::string in_parentheses(const std::string& text, bool needed) { return needed ? "(" + text + ")" : text; }

Expression combine(const Expression& left, char operation, const Expression& right, std::int64_t limit) {
  Expression whole;
  whole.operation = operation;
  whole.value = operation == '+' ? left.value + right.value : operation == '-' ? left.value - right.value : left.value * right.value;
  whole.within = left.within && right.within && whole.value >= 0 && whole.value <= limit;
  // A product on the right of a product needs parentheses too: without, it would be worked from the left.
  whole.text = in_parentheses(left.text, operation == '*' && additive(left.operation)) + operation +
               in_parentheses(right.text, additive(right.operation) || (operation == '*' && right.operation == '*'));
  for (const std::string& steps : {left.steps, right.steps}) {
    if (!steps.empty()) whole.steps += steps + ", ";
  }
  whole.steps += fmt::format("{}{}{}={}", left.value, operation, right.value, whole.value);
  return whole;
}

Expression draw_tree(std::int64_t operations, const ExpressionsOptions& options, Random& random) {
  if (operations == 0) {
    const auto leaf = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(options.largest)));
    return {.text = std::to_string(leaf), .steps = "", .value = leaf, .operation = 0, .within = leaf <= options.limit};
  }
  const char operation = "+-*"[random.below(3)];
  const auto on_left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(operations)));
  const Expression left = draw_tree(on_left, options, random);
  const Expression right = draw_tree(operations - 1 - on_left, options, random);
  // Out of the limit the value no longer counts; 0 keeps what is above from overflowing.
  Expression whole = combine(left, operation, right, options.limit);
  if (!whole.within) whole.value = 0;
  return whole;
}

}  // namespace

void ExpressionsOptions::describe(OptionVisitor& visit) {
  sizes.describe(visit);
  visit.integer("fewest_operations", fewest_operations, 1, 20, "number of operations of the shortest expression");
  visit.integer("most_operations", most_operations, 1, 20, "number of operations of the longest expression");
  visit.integer("largest", largest, 1, 1000000, "largest number in an expression");
  visit.integer("limit", limit, 1, 1000000, "largest intermediate result");
}

QuestionSet make_expressions(const ExpressionsOptions& options, const QuestionContext& context) {
  expect(options.fewest_operations <= options.most_operations,
         "expressions: expected fewest_operations of at most most_operations, found {} and {}", options.fewest_operations,
         options.most_operations);
  return generate_questions("expressions", options.sizes, Random({.seed = context.seed}, "expressions"), [&](Random& random) {
    const auto range = static_cast<std::uint64_t>(options.most_operations - options.fewest_operations + 1);
    const std::int64_t operations = options.fewest_operations + static_cast<std::int64_t>(random.below(range));
    for (int i = 0; i < kMostRedraws; ++i) {
      const Expression tree = draw_tree(operations, options, random);
      if (tree.within) return worked_question(tree.text, tree.steps, tree.value);
    }
    throw Error(fmt::format("expressions: expected {} operations with numbers up to {} to stay within a limit of {}, found none in {}",
                            operations, options.largest, options.limit, kMostRedraws));
  });
}

}  // namespace paretofl
