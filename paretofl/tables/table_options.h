#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Options of the workload on a user's own tables.
struct TableOptions {
  std::string files = "*.csv";
  std::string client_column;
  std::string separator = "comma";
  std::vector<std::string> columns;
  std::vector<std::string> targets;
  std::vector<std::string> losses;
  std::vector<std::string> features;
  std::vector<std::string> ignored;
  std::vector<std::string> categorical;
  std::string missing = "error";
  std::string missing_targets = "error";
  bool standardize = true;
  bool standardize_targets = true;
  std::string split_column;
  double validation_fraction = 0;
  double test_fraction = 0.2;
  std::int64_t batch_size = 32;
  std::string model = "mlp";
  std::vector<double> hidden = {32};
  std::string activation = "relu";

  void describe(OptionVisitor& visit);
};

}  // namespace paretofl
