#include "paretofl/runtimes/flower.h"

#include "paretofl/core/error.h"
#include "paretofl/runtimes/parties.h"

namespace paretofl {
namespace {

Carrier& current_carrier() {
  static Carrier carrier;
  return carrier;
}

class FlowerRuntime : public PartiesRuntime {
 public:
  using PartiesRuntime::PartiesRuntime;

 protected:
  void carry(PartyExchange& exchange) override { current_carrier()(exchange); }
};

}  // namespace

void set_carrier(Carrier carrier) { current_carrier() = std::move(carrier); }

std::unique_ptr<Runtime> make_flower_runtime(const RuntimeOptions& options, ThreadPool&, const ClientFactory&) {
  expect(current_carrier() != nullptr,
         "runtime flower: expected the server of a Flower app, found another process; `paretofl federate` starts a whole federation");
  return std::make_unique<FlowerRuntime>(options);
}

}  // namespace paretofl
