#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/round.h"
#include "paretofl/secure_sums/masking_messages.h"

namespace paretofl {

struct SecureSumOptions {
  double threshold = 0.67;       ///< share of a client's neighbours that must stay to the end; more than half
  std::size_t neighbours = 100;  ///< with how many others a client masks, an even number; with all where there are fewer
};

/// What a secure sum leaves at the server.
struct MaskedSum {
  std::vector<std::uint64_t> values;  ///< sums modulo 2^64
  Cohort cohort;                      ///< whose values are in it
};

/// The server's side of a secure sum, in four exchanges: the clients' public keys; their sealed shares; their masked values, which are the
/// answers to `request`; the shares that take the masks away. The server sees masked values, of which each alone is as good as random, and
/// their sum.
///
/// Clients may fall silent in every exchange, as long as each of those who sent values keeps as many neighbours as the threshold asks.
/// Otherwise, and where shares do not fit together, RoundAbandoned is thrown and nothing is learned. So it is where fewer than three
/// clients are left: of two, each would know the other's values from the sum.
class SecureSum {
 public:
  /// Throws Error unless 0.5 < threshold <= 1.
  explicit SecureSum(const SecureSumOptions& options);

  /// Sums `size` values of each client, which `spec` describes to it.
  MaskedSum sum(Round& round, const Cohort& cohort, const Request& request, const Record& spec, std::size_t size) const;

  static constexpr const char* kKeysVerb = "secure_sum_keys";
  static constexpr const char* kSharesVerb = "secure_sum_shares";
  static constexpr const char* kUnmaskVerb = "secure_sum_unmask";
  /// In the record of every request: what the client half is told (masked_client.h), as a record "secure_sum".
  static constexpr const char* kRecord = "secure_sum";
  static constexpr const char* kName = "sum";       ///< text in it, the sum's name
  static constexpr const char* kSpec = "spec";      ///< record in it, in the third request
  static constexpr const char* kMasked = "masked";  ///< array of the values in a reply

 private:
  struct Run;

  SecureSumOptions options_;
};

}  // namespace paretofl
