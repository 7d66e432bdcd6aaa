#pragma once

#include "paretofl/strategies/fedcmoo.h"

namespace paretofl {

/// FedCMOO's options with other defaults.
struct FedCmooPrefOptions {
  FedCmooOptions base{.server_lr = 1.6, .local = {.client_lr = 0.3}, .solver = {"kl_preference", {}}};

  void describe(OptionVisitor& visit) { base.describe(visit); }
};

/// FedCMOO-Pref (Algorithm 7): FedCMOO whose lambda steers towards r_1 F_1 = ... = r_M F_M for a preference
/// r, from the Gramian and the clients' mean losses (kl_preference.h).
///
/// The paper has "local loss values" of the participating clients (appendix C.3) and does not say on which data; the authors' code
/// evaluates each client's whole training data without dropout and rotation: `losses = "local"`, which the presets on images set. The
/// default is "minibatch", the losses that come with the sketched jacobians in training mode: they cost no evaluation, exist on every
/// workload, and earlier runs have them. With dropout or rotated images these losses are usually larger, and by a different factor for each
/// objective, so that another ratio of losses is balanced.
///
/// The metric "kkt_residual" tells in which rounds the linear program was infeasible, and by how much.
Strategy make_fedcmoo_pref(const FedCmooPrefOptions& options, const Workload& workload);

}  // namespace paretofl
