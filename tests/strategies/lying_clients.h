#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "paretofl/strategies/strategy.h"

namespace paretofl {

using Lie = std::function<void(Reply&)>;

/// A client half whose answers a lie changes before they are sent.
class LyingClient : public ClientHalf {
 public:
  LyingClient(std::unique_ptr<ClientHalf> honest, Lie lie) : honest_(std::move(honest)), lie_(std::move(lie)) {}
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
  Lie lie_;
};

/// The strategy with clients 0 .. count - 1 that lie.
inline Strategy with_liars(Strategy strategy, int count, const Lie& lie) {
  return {.server = std::move(strategy.server),
          .client = [honest = std::move(strategy.client), count, lie](int client) -> std::unique_ptr<ClientHalf> {
            if (client >= count) return honest(client);
            return std::make_unique<LyingClient>(honest(client), lie);
          }};
}

/// Every number of an array or a record times a factor.
inline void scale_record(Record& record, double factor) {
  for (auto& [name, array] : record.arrays) {
    if (array.type() == Array::Type::kFloat32) {
      std::vector<float> values(array.floats().begin(), array.floats().end());
      for (float& x : values) x *= static_cast<float>(factor);
      array = Array(std::span<const float>(values), array.shape());
    }
  }
  for (auto& [name, inner] : record.records) scale_record(inner, factor);
}

/// Flips the signs of the update and of what the sketch holds, and scales them by 100.
inline void flip_and_scale(Reply& reply) {
  for (float& x : reply.update) x *= -100;
  scale_record(reply.extra, -100);
}

}  // namespace paretofl
