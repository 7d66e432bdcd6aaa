#include "paretofl/strategies/tfirm.h"

#include "paretofl/rounds/client_figures.h"
#include "paretofl/strategies/firm.h"

namespace paretofl {

void TFirmOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  aggregation.describe(visit);
  visit.real("beta", beta, 0, kInfinity, "strength of the regularizer beta / 2 ||lambda||^2");
  visit.choice("smoothing", smoothing, {"harmonic", "constant", "off"},
               "eta_t of the smoothed lambda; harmonic: 1 / t; constant: smoothing_rate; off: 1");
  visit.real("smoothing_rate", smoothing_rate, 0, 1, "eta of constant smoothing");
  visit.boolean("measure_drift", measure_drift,
                "record the disagreement drift of the first and of the last local step of each round; clients then send 2 d more numbers, "
                "which are counted apart");
  describe_record_steps(visit, record_steps);
}

Strategy make_tfirm(const TFirmOptions& options, const Workload& workload) {
  check_objective_steps("tfirm", workload);
  FirmOptions firm;
  firm.cohort_size = options.cohort_size;
  firm.local = options.local;
  firm.aggregation = options.aggregation;
  firm.solver.settings.values = {
      {"trace_normalization", false}, {"beta", options.beta}, {"smoothing", options.smoothing}, {"smoothing_rate", options.smoothing_rate}};
  firm.measure_drift = options.measure_drift;
  firm.record_steps = options.record_steps;
  return make_firm(firm, workload);
}

}  // namespace paretofl
