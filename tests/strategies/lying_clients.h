#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "paretofl/adversaries/lying_client.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

using Lie = std::function<void(Reply&)>;

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
