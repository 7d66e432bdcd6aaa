#include "paretofl/optimization/linear_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double dot(const std::vector<double>& a, const std::vector<double>& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double violation(const LinearProgram& program, const std::vector<double>& point) {
  double worst = 0;
  for (std::size_t k = 0; k < program.rows.size(); ++k) worst = std::max(worst, program.bounds[k] - dot(program.rows[k], point));
  return worst;
}

LinearProgram random_program(std::uint64_t seed, bool feasible) {
  Random random({seed}, "linear program");
  const std::size_t size = 1 + random.below(6);
  LinearProgram program;
  for (std::size_t j = 0; j < size; ++j) program.value.push_back(random.normal());
  const std::vector<double> inside = random.dirichlet(std::vector<double>(size, 1.0));
  const std::size_t rows = random.below(size + 2);
  for (std::size_t k = 0; k < rows; ++k) {
    std::vector<double> row;
    for (std::size_t j = 0; j < size; ++j) row.push_back(random.normal());
    program.bounds.push_back(feasible ? dot(row, inside) - random.uniform() : random.normal());
    program.rows.push_back(std::move(row));
  }
  return program;
}

/// The best value over the simplex with every row relaxed by `relaxed`, by looking at all vertices: the
/// points where sum w = 1 and M - 1 of the inequalities hold with equality.
double best_vertex(const LinearProgram& program, double relaxed) {
  const auto size = static_cast<Eigen::Index>(program.value.size());
  const std::size_t inequalities = program.value.size() + program.rows.size();
  double best = -INFINITY;
  for (std::size_t set = 0; set < (std::size_t{1} << inequalities); ++set) {
    if (__builtin_popcountll(set) != size - 1) continue;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Ones(size, size);
    Eigen::VectorXd right = Eigen::VectorXd::Ones(size);
    Eigen::Index row = 1;
    for (std::size_t i = 0; i < inequalities; ++i) {
      if ((set >> i & 1) == 0) continue;
      if (i < program.value.size()) {
        matrix.row(row) = Eigen::RowVectorXd::Unit(size, static_cast<Eigen::Index>(i));
        right[row] = 0;
      } else {
        const std::size_t k = i - program.value.size();
        matrix.row(row) = Eigen::Map<const Eigen::RowVectorXd>(program.rows[k].data(), size);
        right[row] = program.bounds[k] - relaxed;
      }
      ++row;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(matrix);
    if (!factors.isInvertible()) continue;
    const Eigen::VectorXd point = factors.solve(right);
    const std::vector<double> w(point.begin(), point.end());
    if (point.minCoeff() > -1e-9 && violation(program, w) < relaxed + 1e-9) best = std::max(best, dot(program.value, w));
  }
  return best;
}

void expect_on_simplex(const std::vector<double>& point) {
  for (const double w : point) EXPECT_GE(w, 0);
  EXPECT_NEAR(std::accumulate(point.begin(), point.end(), 0.0), 1, 1e-12);
}

TEST(LinearProgram, FindsTheBestVertexOfFeasiblePrograms) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const LinearProgram program = random_program(seed, true);
    const LinearProgramSolution solution = solve(program);
    expect_on_simplex(solution.point);
    EXPECT_EQ(solution.violation, 0) << seed;
    EXPECT_LT(violation(program, solution.point), 1e-9) << seed;
    EXPECT_NEAR(dot(program.value, solution.point), best_vertex(program, 0), 1e-8) << seed;
  }
}

TEST(LinearProgram, ViolatesInfeasibleProgramsLeast) {
  int infeasible = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const LinearProgram program = random_program(seed, false);
    const LinearProgramSolution solution = solve(program);
    expect_on_simplex(solution.point);
    EXPECT_LT(violation(program, solution.point), solution.violation + 1e-8) << seed;
    if (solution.violation == 0) continue;
    ++infeasible;
    EXPECT_NEAR(dot(program.value, solution.point), best_vertex(program, solution.violation + 1e-9), 1e-6) << seed;
    // Nothing that violates less is left.
    EXPECT_EQ(best_vertex(program, solution.violation * 0.999), -INFINITY) << seed;
  }
  EXPECT_GT(infeasible, 100);
}

TEST(LinearProgram, WithoutRowsTakesTheLargestValue) {
  EXPECT_THAT(solve({.value = {1, 5, 2}, .rows = {}, .bounds = {}}).point, testing::ElementsAre(0, 1, 0));
  EXPECT_THAT(solve({.value = {-3}, .rows = {{1}}, .bounds = {0.5}}).point, testing::ElementsAre(1));
}

TEST(LinearProgram, ByHand) {
  // w1 + 2 w2 = 1 + w2 >= 1.25 with the value on w1: w = (0.75, 0.25).
  const LinearProgramSolution solution = solve({.value = {1, 0}, .rows = {{1, 2}}, .bounds = {1.25}});
  EXPECT_NEAR(solution.point[0], 0.75, 1e-12);
  EXPECT_NEAR(solution.point[1], 0.25, 1e-12);
  // w1 >= 0.8 and w2 >= 0.6 miss each by 0.2.
  const LinearProgramSolution none = solve({.value = {1, 0}, .rows = {{1, 0}, {0, 1}}, .bounds = {0.8, 0.6}});
  EXPECT_NEAR(none.violation, 0.2, 1e-12);
  EXPECT_NEAR(none.point[0], 0.6, 1e-12);
}

TEST(LinearProgram, DoesNotMindScaleOrTies) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    LinearProgram program = random_program(seed, true);
    const std::vector<double> point = solve(program).point;
    for (double& x : program.value) x *= 1e-14;
    for (auto& row : program.rows) {
      for (double& x : row) x *= 1e-14;
    }
    for (double& x : program.bounds) x *= 1e-14;
    const std::vector<double> scaled = solve(program).point;
    for (std::size_t j = 0; j < point.size(); ++j) EXPECT_NEAR(scaled[j], point[j], 1e-6) << seed;
  }
  const std::vector<std::vector<double>> same(8, std::vector<double>(5, 0.0));
  expect_on_simplex(solve({.value = std::vector<double>(5, 0.0), .rows = same, .bounds = std::vector<double>(8, 0.0)}).point);
}

TEST(LinearProgram, NearlyParallelRowsDoNotMakeItMissThem) {
  Random random({7}, "parallel");
  for (int index = 0; index < 3000; ++index) {
    LinearProgram program = random_program(static_cast<std::uint64_t>(index), true);
    if (program.rows.empty()) continue;
    const double apart = std::pow(10, random.uniform(-11, -5));
    program.rows.push_back(program.rows.front());
    program.bounds.push_back(program.bounds.front());
    for (double& x : program.rows.back()) x *= 1 + apart * random.normal();
    const LinearProgramSolution solution = solve(program);
    EXPECT_LT(violation(program, solution.point), solution.violation + 1e-7) << index;
    EXPECT_LT(solution.violation, 1e-4) << index;
  }
  // Three of nearly the same gradients' constraints.
  const LinearProgram ties{.value = {10, 2, 1.999999997},
                           .rows = {{22, -6, -6.000000005}, {-6, 4, 4.000000002}, {-6.000000005, 4.000000002, 4.000000004}},
                           .bounds = {0, 0, 0}};
  EXPECT_LT(violation(ties, solve(ties).point), 1e-6);
}

// Nearly parallel rows of very different lengths, which no pivoting on them keeps: the answer must not pass for feasible.
TEST(LinearProgram, TellsAViolationThatRoundingCaused) {
  const LinearProgram program{.value = {-0.98396968105246829, 0.89209044429780471, -1.3853192067246445, 0.143117459508221},
                              .rows = {{1.3279044814690586e-05, -2.7587014098491169e-05, -8.9853610367567088e-06, -3.5759799631113781e-06},
                                       {0.30167969174140014, -0.62673418726542551, -0.2041311829995551, -0.081242395059773001},
                                       {0.033588012337722836, -0.069778391091252848, -0.022727358969099516, -0.0090451130121063442},
                                       {0.0007770844910328519, -0.0016143798502446609, -0.00052582002902786939, -0.00020926491702969097}},
                              .bounds = {0, 0, 0, 0}};
  const LinearProgramSolution solution = solve(program);
  EXPECT_GE(solution.violation, violation(program, solution.point) - 1e-8);
}

TEST(LinearProgram, RejectsWhatIsNoProgram) {
  const auto solving = [](LinearProgram program) { return [program = std::move(program)] { solve(program); }; };
  EXPECT_THAT(solving({}), ThrowsMessage<Error>(HasSubstr("at least one variable")));
  EXPECT_THAT(solving({.value = {1}, .rows = {{1}}, .bounds = {}}), ThrowsMessage<Error>(HasSubstr("expected 1 bounds")));
  EXPECT_THAT(solving({.value = {1}, .rows = {{1, 2}}, .bounds = {0}}), ThrowsMessage<Error>(HasSubstr("rows of 1 numbers, found 2")));
  EXPECT_THAT(solving({.value = {NAN}, .rows = {}, .bounds = {}}), ThrowsMessage<Error>(HasSubstr("finite")));
}

}  // namespace
}  // namespace paretofl
