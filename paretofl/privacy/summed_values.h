#pragma once

#include <span>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/summation.h"

namespace paretofl {

/// What a client counts, and then its numbers that `spec` names, each times that [1 + spec.size()]. Throws Error on a reply that has more
/// or fewer of these, and unless a client by samples has a positive number of them.
std::vector<double> summed_values(const Reply& reply, const SumSpec& spec);

/// The mean from the sums of such values.
CohortMean mean_of_sums(std::span<const double> sums, const SumSpec& spec, Cohort cohort);

/// In the record of a request.
Record save(const SumSpec& spec);
/// Throws Error on a record that holds none, or one of more than 2^40 numbers.
SumSpec load_sum_spec(const Record& record);

}  // namespace paretofl
