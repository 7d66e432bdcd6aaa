#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "paretofl/rewards/reward.h"

namespace paretofl {

/// A program and tests of it, each on its own.
struct TestedProgram {
  std::vector<std::string> names;
  std::string program;
  std::vector<std::string> tests;
};

/// An answer per test, whose prompt is the test.
inline std::vector<Answer> answers_of(const std::vector<TestedProgram>& programs) {
  std::vector<Answer> answers;
  for (const TestedProgram& program : programs) {
    for (const std::string& test : program.tests) {
      const std::vector<std::string> tests{test};
      answers.push_back({test, program.program, nlohmann::json{{"names", program.names}, {"tests", tests}}.dump()});
    }
  }
  return answers;
}

}  // namespace paretofl
