#include "paretofl/personalized/cfl.h"
#include "paretofl/personalized/ditto.h"
#include "paretofl/personalized/fedpref.h"
#include "paretofl/personalized/matfl.h"
#include "paretofl/personalized/no_communication.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/scalarized/afl.h"
#include "paretofl/scalarized/fedavg.h"
#include "paretofl/scalarized/feddyn.h"
#include "paretofl/scalarized/fedexp.h"
#include "paretofl/scalarized/fedfv.h"
#include "paretofl/scalarized/fedmdfg.h"
#include "paretofl/scalarized/fedmgda_plus.h"
#include "paretofl/scalarized/fedprox.h"
#include "paretofl/scalarized/qffl.h"
#include "paretofl/scalarized/scaffold.h"
#include "paretofl/scalarized/single_objective.h"
#include "paretofl/strategies/fedcmoo.h"
#include "paretofl/strategies/fedcmoo_a.h"
#include "paretofl/strategies/fedcmoo_pref.h"
#include "paretofl/strategies/fedcmoo_theory.h"
#include "paretofl/strategies/fedmoa.h"
#include "paretofl/strategies/firm.h"
#include "paretofl/strategies/fsmgda.h"
#include "paretofl/strategies/pareto_manifold.h"
#include "paretofl/strategies/stimulus.h"
#include "paretofl/strategies/tfirm.h"

namespace paretofl {
namespace {

using StrategyRegistry = Registry<Strategy(const Settings&, const Workload&)>;

template <class Options>
StrategyRegistry::Entry entry(std::string name, std::string summary, std::string reference,
                              Strategy (*make)(const Options&, const Workload&)) {
  return {
      {std::move(name), std::move(summary), std::move(reference), described<Options>()},
      [make](const Settings& settings, const Workload& workload) { return make(read_options<Options>(settings, "strategy"), workload); }};
}

}  // namespace

StrategyRegistry& strategies() {
  static StrategyRegistry registry(
      "strategy",
      {entry("fedavg", "federated averaging of a scalarized loss", "McMahan et al. 2017; Reddi et al. 2021", make_fedavg),
       entry("fedprox", "federated averaging with a proximal term", "Li et al. 2020, Algorithm 2", make_fedprox),
       entry("single_objective", "federated averaging on one objective", "the reference of Delta_M", make_single_objective),
       entry("fsmgda", "one local training per objective, resolved by min-norm at the server", "Yang et al. 2023", make_fsmgda),
       entry("fedcmoo", "objective weights from a compressed jacobian at the server", "FedCMOO, Algorithm 1", make_fedcmoo),
       entry("fedcmoo_pref", "FedCMOO that steers the losses towards a preference", "FedCMOO, Algorithms 7 and 8", make_fedcmoo_pref),
       entry("fedcmoo_theory", "the variant of FedCMOO whose convergence is proved", "FedCMOO, Algorithms 9 and 10", make_fedcmoo_theory),
       entry("pareto_manifold", "one set of parameters that has a model for every preference", "Dimitriadis et al. 2023, section 4",
             make_pareto_manifold),
       entry("stimulus", "variance-reduced gradients of each objective, kept at the server", "Liu et al. 2025, Algorithms 1 and 2",
             make_stimulus),
       entry("firm", "objective weights set by each client at each local step", "FIRM, Algorithm 1", make_firm),
       entry("fedcmoo_a", "objective weights from uncompressed gradients, once per round", "FIRM, section 5", make_fedcmoo_a),
       entry("tfirm", "the variant of FIRM whose convergence is proved", "FIRM, Algorithm 2", make_tfirm),
       entry("fedmoa", "GRPO with adaptive reward weights, aggregated by task and accuracy", "FedMOA, section 3", make_fedmoa),
       entry("fedgrpo", "federated averaging of GRPO with fixed reward weights", "FedMOA, section 4", make_fedgrpo),
       entry("fedpref", "models are averaged by similarity, in clusters that are split", "FedPref, Algorithm 3", make_fedpref),
       entry("cfl", "federated averaging in clusters that are split", "Sattler et al. 2019", make_cfl),
       entry("matfl", "every client is averaged with the clients most similar to it", "Cai et al. 2023", make_matfl),
       entry("no_communication", "every client trains alone, under its private preference", "FedPref, Section 4.2.1",
             make_no_communication),
       entry("fedmgda_plus", "min-norm over the clients' normalized updates, near their shares", "Hu et al. 2022, Algorithm 1",
             make_fedmgda_plus),
       entry("afl", "minimax over mixture weights of the clients", "Mohri et al. 2019, Stochastic-AFL", make_afl),
       entry("qffl", "clients with larger losses count more: q-FedAvg", "Li et al. 2020, Fair Resource Allocation, Algorithm 2", make_qffl),
       entry("fedfv", "conflicts between the clients' updates are projected away", "Wang et al. 2021, Algorithms 1 to 3", make_fedfv),
       entry("fedmdfg", "common descent of the clients' losses towards equal ones, by a step that the clients try",
             "Pan et al. 2023, Algorithm 1", make_fedmdfg),
       entry("scaffold", "local steps corrected by control variates", "Karimireddy et al. 2020, Algorithm 1", make_scaffold),
       entry("feddyn", "local losses with a dynamic regularizer", "Acar et al. 2021, Algorithm 1", make_feddyn),
       entry("fedexp", "federated averaging with an extrapolated server step", "Jhunjhunwala et al. 2023, Algorithm 1", make_fedexp),
       entry("ditto", "every client's own model, pulled to the one of federated averaging", "Li et al. 2021, Algorithm 1", make_ditto)});
  return registry;
}

}  // namespace paretofl
