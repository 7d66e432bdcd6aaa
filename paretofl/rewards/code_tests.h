#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// How a program is tested.
struct CodeTests {
  std::string beginning;           ///< comes before the completion's code
  std::vector<std::string> names;  ///< what tests take from the program; other names are Python's own
  std::vector<std::string> tests;  ///< Python that raises an exception unless a test passes
};

/// Tests from the JSON text of a reference. MBPP's (Austin et al. 2021): {"tests": ["assert ..", ..], "names": ["f", ..],
/// "setup": ".."}, the setup, which may be left out, being run before each test. HumanEval's (Chen et al. 2021): {"prompt":
/// "def f(..", "check": "def check(candidate): ..", "entry_point": "f"}: one test; what else the prompt defines, the tests have
/// from the prompt itself. Throws Error, naming `name`, on anything else.
CodeTests parse_code_tests(std::string_view reference, std::string_view name);

/// The input of kTestRunner.
std::string test_input(const CodeTests& tests, std::string_view code);

}  // namespace paretofl
