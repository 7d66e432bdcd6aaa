#pragma once

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct DittoOptions {
  ScalarizedOptions base;
  double lambda = 0.1;
  std::int64_t own_steps = 10;
  double own_lr = 0.1;
  std::string client_weighting = "samples";
  double server_lr = 1;

  void describe(OptionVisitor& visit);
};

/// Ditto (Li, Hu, Beirami and Smith 2021, "Ditto: Fair and Robust Federated Learning Through Personalization", Algorithm 1, with FedAvg for
/// the global problem): the global model w is FedAvg's, and client i keeps a model of its own v_i, which starts as the initial one. When it
/// takes part, it also takes `own_steps` (s) steps v_i <- v_i - eta (grad f_i(v_i) + lambda (v_i - w_t)) of the same optimizer, with w_t as
/// it was sent. lambda = 0 is training alone.
///
/// The run's models are v_i; the global parameters are w. Ditto's own messages are FedAvg's; v_i is kept in the client's state. So that
/// the server can evaluate, save and export v_i, a second exchange of the round gathers it from those who took part; its bytes are counted
/// apart (measurement_bytes). So the server needs single answers, and secure aggregation is refused. For a client that is left out of the
/// second exchange, the server keeps its earlier model until it takes part again. A client whose steps of v_i end in numbers that are not
/// finite keeps v_i as it was, and fails in the second exchange alone: w does not depend on v_i. Too few answers to this exchange do not
/// end the round. If the first exchange is abandoned, the clients that trained keep the steps of v_i.
Strategy make_ditto(const DittoOptions& options, const Workload& workload);

}  // namespace paretofl
