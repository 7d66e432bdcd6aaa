#pragma once

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>
#include <ctime>

namespace paretofl {

/// Of the whole process, since its start.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// 10^9 operations per second of processor time in a large product, Eigen's.
inline double matrix_product_rate() {
  const Eigen::MatrixXf a = Eigen::MatrixXf::Random(768, 768), b = Eigen::MatrixXf::Random(768, 768);
  Eigen::MatrixXf c(768, 768);
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    const double start = processor_seconds();
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
    best = std::max(best, 2e-9 * 768 * 768 * 768 / (processor_seconds() - start));
  }
  return best;
}

}  // namespace paretofl
