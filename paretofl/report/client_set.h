#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/report/comparison.h"

namespace paretofl {

/// A personalized run's models as one answer to a problem of several objectives (FedPref, Section 5): every client's own
/// test figures on the last evaluated round are a point. Figures by name: "scalarized", the mean over the clients of the
/// figure each has under its own preference; "hypervolume" (NaN for too many objectives), "sparsity" and "cardinality"
/// of the points' front; "igd", how far the front of all runs' points is from it.
struct ClientSet {
  const RunData* run = nullptr;
  std::map<std::string, double> figures;
};

/// The figures' names, in the order of a table.
const std::vector<std::string>& client_set_figures();

/// The sets of a comparison's runs by one test metric.
struct ClientSets {
  std::vector<double> reference;  ///< of the hypervolume [M]
  std::vector<ClientSet> sets;    ///< of the runs that have figures by client, in the groups' order

  /// Mean and spread of a figure over the runs of a group; NaN if none has it.
  Estimate figure(const RunGroup& group, const std::string& name) const;
};

/// Against the reference given, or where that is empty against the worst value of each objective over all clients of all
/// runs. Throws Error if it is not one number per objective.
ClientSets client_sets(const Comparison& comparison, const std::string& metric, std::vector<double> reference = {});

}  // namespace paretofl
