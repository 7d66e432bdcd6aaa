#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/scalarized/scalarized.h"

namespace paretofl {

/// The verb by which a server asks for the losses at a step, and the scalar of the request that holds its size. The first such request of a
/// round has the direction [d] as its parameters; the others have none.
inline constexpr const char* kTryStep = "try_step";
inline constexpr const char* kStep = "step";

/// A ScalarizedClient that also tells its losses [M] at theta - step d, on the same data as those at theta. It keeps theta and d for the
/// rest of the round, so that a further trial costs the server one number. Losses that cannot be computed at the step, such as those of a
/// problem in Python that overflow there, are infinite: the data of the same draw have given losses at theta.
class StepTrialClient : public ClientHalf {
 public:
  StepTrialClient(const ScalarizedOptions& options, const Workload& workload, int client, std::string losses);

  Reply handle(const Request& request, StreamId stream) override;
  void end_round() noexcept override;

 private:
  Reply try_step(const Request& request, StreamId stream);

  ScalarizedClient trainer_;
  std::uint32_t round_ = 0;
  std::shared_ptr<const std::vector<float>> theta_;      ///< only within a round, like what follows; null: none was sent
  std::shared_ptr<const std::vector<float>> direction_;  ///< d
  std::vector<double> lambda_;                           ///< [M]
};

}  // namespace paretofl
