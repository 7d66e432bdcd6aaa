#include "paretofl/privacy/private_failures.h"

#include <string>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {
namespace {

class PrivateFailures : public ClientHalf {
 public:
  PrivateFailures(std::unique_ptr<ClientHalf> half, int client) : half_(std::move(half)), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    try {
      return half_->handle(request, stream);
    } catch (const std::exception& failure) {
      if (std::exchange(last_, failure.what()) != failure.what()) warn("client {}: {}", client_, failure.what());
      throw Error("failed; privacy keeps the reason on the client's standard error");
    }
  }

  void end_round() noexcept override { half_->end_round(); }
  void save(Record& state) const override { half_->save(state); }
  void load(const Record& state) override { half_->load(state); }

 private:
  std::unique_ptr<ClientHalf> half_;
  int client_;
  std::string last_;
};

}  // namespace

ClientFactory with_private_failures(ClientFactory factory) {
  return [factory = std::move(factory)](int client) { return std::make_unique<PrivateFailures>(factory(client), client); };
}

}  // namespace paretofl
