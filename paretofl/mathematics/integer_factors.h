#pragma once

#include <gmpxx.h>

#include <utility>
#include <vector>

namespace paretofl {

/// Bases above 1 with their exponents, whose product a natural number above 0 is. The bases up to 10^10 are primes; of
/// what is left beyond, no base is a power of a smaller number.
std::vector<std::pair<mpz_class, unsigned long>> integer_factors(mpz_class number);

}  // namespace paretofl
