#pragma once

#include "paretofl/strategies/fedcmoo.h"

namespace paretofl {

/// FedCMOO's options with other defaults.
struct FedCmooPrefOptions {
  FedCmooOptions base{.server_lr = 1.6, .local = {.client_lr = 0.3}, .solver = {"kl_preference", {}}};

  void describe(OptionVisitor& visit) { base.describe(visit); }
};

/// FedCMOO-Pref (Algorithm 7): FedCMOO whose lambda steers towards r_1 F_1 = ... = r_M F_M for a preference
/// r, from the Gramian and the mean minibatch losses of the sketched jacobians (kl_preference.h). The
/// metric "kkt_residual" tells in which rounds the linear program was infeasible, and by how much.
Strategy make_fedcmoo_pref(const FedCmooPrefOptions& options, const Workload& workload);

}  // namespace paretofl
