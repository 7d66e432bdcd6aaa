#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct AflOptions {
  ScalarizedOptions base;
  double server_lr = 1;
  double weight_lr = 0.1;
  std::string losses = "minibatch";

  void describe(OptionVisitor& visit);
};

/// Agnostic federated learning (Mohri, Sivek and Suresh 2019, the algorithm Stochastic-AFL): min over theta and max over the
/// mixture weights p of the clients [n] on the simplex of sum_i p_i f_i(theta). In a round both players move once, from theta_t and p_t:
/// theta <- theta - eta sum_i p_i u_i, where u_i is the client's update after its local steps (one step is the paper's gradient), and
/// p <- projection on the simplex of p + gamma_p (f_i(theta_t))_i. p starts uniform and is kept from round to round.
///
/// If only a cohort S of the n clients takes part, it stands for all: its p_i are scaled to sum to one for the step of theta, and the
/// ascent uses the unbiased estimate n / |S| f_i for i in S and 0 for the others. Records mixture_weight [n], after the round, and
/// client_losses of the cohort, by its ascending ids in "cohort".
Strategy make_afl(const AflOptions& options, const Workload& workload);

}  // namespace paretofl
