#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/local/local_training.h"
#include "paretofl/local/vertex_training.h"
#include "paretofl/rounds/rate_halving.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct ParetoManifoldOptions {
  std::int64_t cohort_size = 10;
  LocalTrainingOptions local;
  RateHalving halving = {};
  VertexTrainingOptions training;
  Component solver{"linear", {}};
  std::string client_weighting = "samples";
  AggregationOptions aggregation = {};
  Component server_optimizer{"sgd", {}};
  std::int64_t front_preferences = 5;

  void describe(OptionVisitor& visit);
};

/// A Pareto front in one run: Pareto manifold learning (Dimitriadis et al. 2023, "Pareto Manifold Learning: Tackling multiple tasks via
/// ensembles of single-task models") with federated averaging. One set of M d numbers, the vertices theta_k of M models, holds a model
/// theta(r) = sum_k r_k theta_k for every preference r. The server sends the vertices, every client of the cohort takes its local steps on
/// models at preferences that it draws (vertex_training.h), and the server averages the updates of the vertices as FedAvg does.
///
/// Of the ways to condition a model on a preference this one asks nothing of the model or the workload. A hypernetwork (Navon et al. 2021,
/// "Learning the Pareto front with hypernetworks"; Lin et al. 2020; PraFFL, Ye et al. 2024, in federated learning) has a layout of its own,
/// which grows with d times its width, and layers conditioned on r (Dosovitskiy and Djolonga 2020, "You Only Train Once") are another
/// network. Here clients need weighted gradients alone, so every workload that has them can be trained, with secure sums, noise, every
/// runtime and every aggregator. The price is that theta(r) is linear in r.
///
/// All vertices start at the workload's initial parameters and still move apart: the step of vertex k weighs objective j by
/// E[r_k r_j], which is largest for j = k. The global parameters are theta at the uniform preference, and the run evaluates
/// `front_preferences` evenly spaced preferences beside it. With one objective this is FedAvg, to the bit.
Strategy make_pareto_manifold(const ParetoManifoldOptions& options, const Workload& workload);

}  // namespace paretofl
