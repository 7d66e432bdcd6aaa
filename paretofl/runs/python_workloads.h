#pragma once

#include <string_view>

#include "paretofl/core/texts.h"

namespace paretofl {

// The workloads that Python code defines, which are known in the process of that code alone.

inline constexpr const char* kPythonProblem = "python";                         ///< its option `problem` says which
inline constexpr const char* kPythonEnvironmentProblem = "python_environment";  ///< its option `environment` says which

/// Throws Error if the workload of these settings, by full key, is one of these and is not known here. `who` is the command that needs it,
/// and `there` says how the Python code does the same.
void expect_workload_at_hand(const Texts& settings, std::string_view who, std::string_view there);

}  // namespace paretofl
