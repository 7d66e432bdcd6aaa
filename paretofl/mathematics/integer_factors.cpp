#include "paretofl/mathematics/integer_factors.h"

namespace paretofl {
namespace {

constexpr unsigned long kLargestDivisor = 100000;

std::vector<unsigned long> primes_below(unsigned long end) {
  std::vector<bool> composite(end);
  std::vector<unsigned long> primes;
  for (unsigned long i = 2; i < end; ++i) {
    if (composite[i]) continue;
    primes.push_back(i);
    for (unsigned long j = i * i; j < end; j += i) composite[j] = true;
  }
  return primes;
}

}  // namespace

std::vector<std::pair<mpz_class, unsigned long>> integer_factors(mpz_class number) {
  static const std::vector<unsigned long> kPrimes = primes_below(kLargestDivisor);
  std::vector<std::pair<mpz_class, unsigned long>> factors;
  for (const unsigned long prime : kPrimes) {
    if (number < prime * prime) break;
    unsigned long exponent = 0;
    for (; mpz_divisible_ui_p(number.get_mpz_t(), prime) != 0; ++exponent) number /= prime;
    if (exponent > 0) factors.emplace_back(prime, exponent);
  }
  if (number == 1) return factors;
  unsigned long exponent = 1;
  for (unsigned long degree = mpz_sizeinbase(number.get_mpz_t(), 2) / 16; degree > 1; --degree) {
    mpz_class root;
    if (mpz_root(root.get_mpz_t(), number.get_mpz_t(), degree) == 0) continue;
    number = root;
    exponent = degree;
    break;
  }
  factors.emplace_back(number, exponent);
  return factors;
}

}  // namespace paretofl
