#pragma once

#include <nanobind/nanobind.h>

#include "paretofl/core/round.h"
#include "paretofl/workloads/workload.h"

namespace paretofl::python {

/// A round as Python code sees it (python/paretofl/round.py), for as long as the round lasts: later calls throw Error.
class PythonRound {
 public:
  PythonRound(Round& round, const Workload& workload, std::int64_t cohort_size)
      : round_(&round), workload_(&workload), cohort_size_(cohort_size) {}

  void end() { round_ = nullptr; }

  std::uint32_t number() const { return alive().number(); }
  std::int64_t cohort_size() const { return cohort_size_; }
  int num_clients() const { return alive().num_clients(); }
  std::vector<std::string> objectives() const;
  /// (name, shape, objective or -1) of every slice of theta.
  nanobind::list slices() const;
  /// d' of the d parameters are shared by all objectives; they come first.
  std::size_t num_shared() const;

  /// By what client i's losses and gradients of objective k are multiplied, a float64 array [n, M].
  nanobind::object objective_factors() const;

  std::vector<int> sample_clients(std::int64_t count);
  /// 64 bits of the server's stream for this purpose.
  std::uint64_t seed(const std::string& purpose) const;
  /// Asks clients, by ascending id. `theta` is [d], or [n, d]: one for each; `weights` is [M], [n, M] or [0, 0]: none. Returns (clients,
  /// num_samples, losses [n, M], updates [n, k]) of those who answered. Lets go of the interpreter's lock meanwhile.
  nanobind::tuple exchange(const std::string& verb, const std::vector<int>& clients, nanobind::handle theta, nanobind::handle weights);

 private:
  Round& alive() const;

  Round* round_;
  const Workload* workload_;
  std::int64_t cohort_size_;
  std::size_t sampled_ = 0;  ///< how many clients were asked for last
  std::size_t drawn_ = 0;    ///< and how many were drawn, additional ones included
};

}  // namespace paretofl::python
