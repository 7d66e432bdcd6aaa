#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct FedMdfgOptions {
  ScalarizedOptions base;
  double server_lr = 1;
  double fair_angle = 11.25;
  std::int64_t search = 5;
  std::string losses = "minibatch";

  void describe(OptionVisitor& visit);
};

/// FedMDFG (Pan, Wang, Li, Wang, Tang and Zhao 2023, "FedMDFG: Federated Learning with Multi-Gradient Descent and Fair Guidance", Algorithm
/// 1; the equations are those of its appendix): the clients' losses f_i are the objectives. With u_i the client's update after tau local
/// steps of rate eta_c, g_i = u_i / (tau eta_c) stands for its gradient; one step on all of its data is the paper's. Gradients of norm up
/// to 1e-6 are left out, and the others are scaled to the mean of their norms. The model counts as unfair if the angle between the losses
/// and the fair guidance vector p = (1, ..., 1) exceeds `fair_angle` (theta, in degrees; pi / 16), or if the losses of some clients, but
/// not of all, are larger than expected of earlier rounds; then sum_i h_i g_i of the gradients as they are, along which that angle falls,
/// is one more gradient (eq. 2), unless no direction descends along it and all of them. So are last round's
/// gradients of clients that are not in this one. theta descends along the shortest convex combination d of all of these (eq. 3), with the
/// length of the mean gradient (A.3), by a step that the clients are asked to try (StepSearch): from 2^s eta to 2^-s eta for s = `search`
/// and eta = server_lr tau eta_c, or from eta on where a client of the last round is missing. server_lr = 1 without a search (s = 0) makes
/// a step as long as FedAvg's.
///
/// What is expected (ExpectedLosses) and the gradients of the last round are the server's state. A trial is an exchange: the first one
/// sends d, every one a step size, and a client answers with its losses [M]. So the server needs single losses and updates, and secure
/// aggregation is refused. So is noise that hides single examples, since the number of trials depends on the data. A client that does not
/// answer a trial has no part in the rest of the search, but its gradient stays in d; where fewer than `min_reply_fraction` of those who
/// were asked answer, the round is abandoned. Where no direction is one of common descent, theta stays.
///
/// Records fairness_angle, of the losses at theta of the clients whose gradients are not zero, in degrees; client_losses [n] and
/// client_weight [n], by the cohort's ascending ids in "cohort"; guidance_weight, the weight of sum_i h_i g_i, 0 without it; trials;
/// server_lr, the step in units of tau eta_c, 0 where theta stays; and sufficient, 1 if the conditions of the search hold at it. Throws
/// Error unless local steps are those of SGD with a positive rate.
Strategy make_fedmdfg(const FedMdfgOptions& options, const Workload& workload);

}  // namespace paretofl
