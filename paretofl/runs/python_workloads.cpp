#include "paretofl/runs/python_workloads.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

std::string text_at(const Texts& settings, const std::string& key) {
  const auto found = settings.find(key);
  return found == settings.end() ? "" : found->second;
}

}  // namespace

void expect_workload_at_hand(const Texts& settings, std::string_view who, std::string_view there) {
  const std::string name = text_at(settings, "workload.name");
  if (name != kPythonProblem && name != kPythonEnvironmentProblem) return;
  const auto entries = workloads().entries();
  expect(std::any_of(entries.begin(), entries.end(), [&](const RegistryEntry* entry) { return entry->name == name; }),
         "{}: expected a workload of this program, found the problem {} of Python code; there, {}", who,
         text_at(settings, name == kPythonProblem ? "workload.problem" : "workload.environment"), there);
}

}  // namespace paretofl
