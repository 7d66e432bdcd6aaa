#include "paretofl/personalized/no_communication.h"

namespace paretofl {
namespace {

class KeepApart : public ModelMixer {
 public:
  Metrics mix(const LocalRound&, ClientModels&) override { return {}; }
};

}  // namespace

Strategy make_no_communication(const NoCommunicationOptions& options, const Workload& workload) {
  return make_personalized({.local = options.local}, std::make_unique<KeepApart>(), workload);
}

}  // namespace paretofl
