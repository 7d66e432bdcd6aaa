#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "paretofl/core/client.h"

namespace paretofl {

/// A client half whose answers a lie changes before they are sent.
class LyingClient : public ClientHalf {
 public:
  LyingClient(std::unique_ptr<ClientHalf> honest, std::function<void(Reply&)> lie) : honest_(std::move(honest)), lie_(std::move(lie)) {}

  Reply handle(const Request& request, StreamId stream) override {
    Reply reply = honest_->handle(request, stream);
    lie_(reply);
    return reply;
  }
  void end_round() noexcept override { honest_->end_round(); }
  void save(Record& state) const override { honest_->save(state); }
  void load(const Record& state) override { honest_->load(state); }

 private:
  std::unique_ptr<ClientHalf> honest_;
  std::function<void(Reply&)> lie_;
};

}  // namespace paretofl
