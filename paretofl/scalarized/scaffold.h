#pragma once

#include "paretofl/aggregators/aggregation.h"
#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

struct ScaffoldOptions {
  ScalarizedOptions base;
  double server_lr = 1;
  AggregationOptions aggregation = {};

  void describe(OptionVisitor& visit);
};

/// SCAFFOLD (Karimireddy et al. 2020, Algorithm 1, with option II of eq. 4): the server keeps a control variate c [d], client i one of its
/// own c_i [d], all zero at first. A client takes K local steps y <- y - eta_l (g_i(y) - c_i + c) from x, sets c_i+ = c_i - c + (x - y) /
/// (K eta_l), and sends its update x - y and c_i+ - c_i, 2 d numbers; the server sends x and c. Then x <- x - eta_g mean of the updates and
/// c <- c + |S| / N mean of the changes over the cohort S of the N clients, all of which count alike.
///
/// Sums are enough, so secure aggregation works. Noise would add up in c, so noised sums are refused. c is the server's state and c_i the
/// client's. A change counts for both or for neither: with each request the server tells the clients in which round their last answer
/// counted, which is not the last one where that came too late, was left out or belongs to a round that was abandoned; they take that
/// change back (PendingChange). Records control_norm, ||c||. Throws Error unless local steps are those of SGD with a positive rate.
Strategy make_scaffold(const ScaffoldOptions& options, const Workload& workload);

}  // namespace paretofl
