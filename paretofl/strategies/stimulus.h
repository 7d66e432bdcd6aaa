#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

struct StimulusOptions {
  std::int64_t cohort_size = 10;
  std::int64_t restart_cohort_size = 0;
  std::int64_t restart_every = 10;
  std::int64_t restart_minibatches = 10;
  double adaptive_batches = 0;
  double server_lr = 0.5;
  double momentum = 0;
  AggregationOptions aggregation = {};
  Component solver{"min_norm", {}};
  std::string jacobian_minibatches = "per_objective";
  bool gramian_of_heads = false;

  void describe(OptionVisitor& visit);
};

/// Federated STIMULUS, after Liu et al. 2025, "STIMULUS: Achieving Fast Convergence and Low Sample Complexity in Stochastic Multi-Objective
/// Learning" (Algorithm 1). The server keeps an estimate u [M, d] of the objectives' gradients, M rows of variance-reduced ones:
///   every q = restart_every rounds   u_t = the mean over the restart cohort of gradients on `restart_minibatches` minibatches of a client,
///   otherwise                        u_t = u_{t-1} + the mean over the cohort of grad f(x_t) - grad f(x_{t-1}) on one minibatch,
/// then lambda_t by the solver from the Gramian of u_t (the paper: min_norm), and one step x_{t+1} = x_t - eta sum_k lambda_k u_k. With
/// `momentum` = alpha > 0, x_{t+1} = x_t + alpha (x_t - x_{t-1}) - eta sum_k lambda_k u_k (STIMULUS-M, Algorithm 2). A client sends M d
/// numbers per round and is sent x_t and x_{t-1}; it keeps nothing.
///
/// The paper has one machine, and names no federated form. In this one a round is one iteration, since the recursion needs the same x_{t-1}
/// and x_t at every client, and the n samples of the paper's full gradients are those of all clients: restart_cohort_size = 0 asks every
/// client. A client's passes over its data are exact where restart_minibatches makes whole ones. Cohorts and their
/// minibatches take the place of the paper's samples. The recursion counts rounds that were completed: an abandoned round leaves no trace.
///
/// `adaptive_batches` = c > 0 makes restarts smaller while gradients are long, as the variants STIMULUS+ do (their batch is
/// min(c_1 sigma^2 / gamma, c_2 sigma^2 / epsilon, n)): a client draws min(restart_minibatches, max(1, ceil(c / gamma))) minibatches, gamma
/// the mean of ||sum_k lambda_k u_k||^2 over the rounds since the last restart. The first restart is a whole one.
Strategy make_stimulus(const StimulusOptions& options, const Workload& workload);

}  // namespace paretofl
