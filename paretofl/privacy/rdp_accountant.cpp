#include "paretofl/privacy/rdp_accountant.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/privacy/gaussian_rdp.h"

namespace paretofl {

RdpAccountant::RdpAccountant() {
  for (int tenth = 11; tenth <= 109; ++tenth) orders_.push_back(tenth / 10.0);
  for (int order = 11; order <= 63; ++order) orders_.push_back(order);
  for (const double order : {128, 256, 512, 1024}) orders_.push_back(order);
  rdp_.resize(orders_.size());
}

void RdpAccountant::add(double noise_multiplier, const CohortSampling& sampling, std::int64_t count) {
  check_noise_multiplier(noise_multiplier);
  check_step_count(count);
  const std::vector<double> step = gaussian_rdp(noise_multiplier, sampling, orders_);
  for (std::size_t i = 0; i < rdp_.size(); ++i) rdp_[i] += static_cast<double>(count) * step[i];
}

double RdpAccountant::epsilon(double delta) const {
  check_delta(delta);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    // The total variation distance is at most sqrt(1 - e^-rdp) (Bretagnolle and Huber 1979), and with delta above it epsilon is 0.
    if (delta * delta > -std::expm1(-rdp_[i])) return 0;
    const double alpha = orders_[i];
    smallest = std::min(smallest, rdp_[i] + std::log1p(-1 / alpha) - std::log(delta * alpha) / (alpha - 1));
  }
  return std::max(0.0, smallest);
}

}  // namespace paretofl
