#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/texts.h"

namespace paretofl {

/// What all parties of a problem agree on: the content of problem.json, the same bytes in every party's folder. It holds nothing private.
struct Problem {
  std::string workload;
  int clients = 0;
  std::vector<std::string> objectives;  ///< [M] names
  Texts settings;                       ///< by full key: "seed" and the workload's own, but for preferences
  nlohmann::json facts;                 ///< an object, of which Workload::facts() says more
  std::vector<Slice> layout;            ///< without the ranges, which follow from the shapes
  std::string initial_parameters;       ///< SHA-256 of the float32 values, little-endian, in hexadecimal

  static constexpr const char* kFile = "problem.json";
};

/// Problem.json, which parse_problem reads back.
std::string problem_text(const Problem& problem);

/// Throws Error, calling the text `name`, for JSON that breaks, for a field that is missing or of another kind, and for another format.
Problem parse_problem(std::string_view text, const std::string& name);

/// Of problem.json in a party's folder. Throws Error, also where there is no such file.
Problem read_problem(const std::filesystem::path& folder);

/// The SHA-256, in hexadecimal, of the bytes of problem.json in a party's folder: equal where the parties agree.
std::string problem_fingerprint(const std::filesystem::path& folder);

/// Everything in it by key as a text, so that a difference has a name.
Texts problem_texts(const Problem& problem);

/// Throws Error, naming the first key that differs, unless `found`, which `name` holds, is `expected`.
void expect_same_problem(const Problem& expected, const Problem& found, const std::string& name);

}  // namespace paretofl
