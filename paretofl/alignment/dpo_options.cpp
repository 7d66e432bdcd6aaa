#include "paretofl/alignment/dpo_options.h"

namespace paretofl {

void DpoOptions::describe(OptionVisitor& visit) {
  visit.integer("batch_size", batch_size, 1, kMaxInt, "pairs of each dimension in a minibatch; a client with fewer takes all");
  loss.describe(visit);
}

}  // namespace paretofl
