#pragma once

#include <string>

namespace paretofl {

// The workloads that Python code defines, which are known in the process of that code alone.

inline constexpr const char* kPythonProblem = "python";                         ///< its option `problem` says which
inline constexpr const char* kPythonEnvironmentProblem = "python_environment";  ///< its option `environment` says which

inline bool is_python_workload(const std::string& name) { return name == kPythonProblem || name == kPythonEnvironmentProblem; }

}  // namespace paretofl
