#pragma once

#include <memory>
#include <span>

#include "paretofl/aggregators/exclusions.h"
#include "paretofl/core/client.h"
#include "paretofl/core/cohort.h"
#include "paretofl/local/learner.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// The client half of strategies with private preferences: trains the model it is sent with a learner of its own and
/// replies with the trained model as `update` [d]. Neither request nor reply contains the preference. The learner's
/// state stays from round to round.
class LearnerClient : public ClientHalf {
 public:
  explicit LearnerClient(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}

  Reply handle(const Request& request, StreamId stream) override;
  void save(Record& state) const override { learner_->save(state); }
  void load(const Record& state) override { learner_->load(state); }

 private:
  std::unique_ptr<Learner> learner_;
};

/// Makes every client a LearnerClient. Throws Error if the workload's learners reject the options.
ClientFactory learner_clients(const Workload& workload, const LocalTrainingOptions& options);

/// Leaves out, and notes, the replies that hold no trained model: `size` finite numbers from a positive number of samples, with finite
/// losses of no or of all `objectives`. Throws Error if none is left.
void keep_trained_models(Replies& replies, std::size_t size, std::size_t objectives, Exclusions& exclusions);

/// Whether every reply has losses of the objectives.
bool all_have_losses(const Replies& replies);

}  // namespace paretofl
