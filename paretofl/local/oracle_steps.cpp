#include "paretofl/local/oracle_steps.h"

#include "paretofl/core/error.h"

namespace paretofl {

void OracleSteps::jacobian(std::int64_t step, std::span<const float> theta, std::span<double> losses, std::span<float> jacobian) {
  expect(draws_.has_value(), "local steps: expected a round to be started before step {}, found none", step);
  oracle_->jacobian(theta, {*draws_, step}, losses, jacobian);
}

}  // namespace paretofl
