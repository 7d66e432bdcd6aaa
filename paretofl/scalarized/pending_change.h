#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/core/request.h"
#include "paretofl/scalarized/kept_vector.h"

namespace paretofl {

/// The array of a request that names the cohort's clients and of each the round of its last reply that counted, 0 for none: pairs.
inline constexpr const char* kLastCounted = "last_counted";

/// A vector [d] that a client keeps, zeros at first, and its last change, which is not certain yet: whether the reply that told the server
/// of it counted, the next request says (CountedReplies).
class PendingChange {
 public:
  /// What is added to the vector is `factor` times the changes.
  PendingChange(const char* name, std::size_t size, double factor = 1) : vector_(name, size), factor_(factor) {}

  /// The vector without a change that did not count, from now on. Throws Error unless the request names pairs.
  std::span<const float> settled(const Request& request, int client);
  /// The next change [d], which the reply of this round tells.
  void add(std::vector<float> change, std::uint32_t round);

  void save(Record& state) const;
  void load(const Record& state);

 private:
  KeptVector vector_;
  double factor_;
  std::vector<float> change_;  ///< [d]; empty: none
  std::uint32_t round_ = 0;
};

}  // namespace paretofl
