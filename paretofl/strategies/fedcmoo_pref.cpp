#include "paretofl/strategies/fedcmoo_pref.h"

namespace paretofl {

Strategy make_fedcmoo_pref(const FedCmooPrefOptions& options, const Workload& workload) { return make_fedcmoo(options.base, workload); }

}  // namespace paretofl
