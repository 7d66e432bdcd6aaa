#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/agents/replay_buffer.h"
#include "paretofl/models/dense_net.h"
#include "tests/data_folder.h"
#include "tests/golden_file.h"

namespace paretofl {

/// Single gradient steps recorded from Stable-Baselines3: settings, transitions, and the networks after each step.
class Sb3Trace {
 public:
  explicit Sb3Trace(const std::string& name) : trace_(read_gzipped_json(golden_folder() / "sb3_updates.json.gz").at(name)) {}

  const nlohmann::json& hyper() const { return trace_["hyper"]; }
  const nlohmann::json& initial() const { return trace_["init"]; }
  const nlohmann::json& after() const { return trace_["after"]; }

  /// A network's parameters in the order of dense_slices.
  static std::vector<float> parameters(const nlohmann::json& network) {
    std::vector<float> flat;
    for (const char* layer : {"0", "2", "4"}) {
      for (const auto& row : network[std::string(layer) + ".weight"]) {
        for (const float x : row) flat.push_back(x);
      }
      for (const float x : network[std::string(layer) + ".bias"]) flat.push_back(x);
    }
    return flat;
  }

  static DenseShape shape(const nlohmann::json& network, bool tanh_output = false) {
    DenseShape shape{.widths = {network["0.weight"][0].size()}, .tanh_output = tanh_output};
    for (const char* layer : {"0.bias", "2.bias", "4.bias"}) shape.widths.push_back(network[layer].size());
    return shape;
  }

  /// All transitions in a buffer, in order.
  ReplayBuffer buffer() const {
    const auto& transitions = trace_["transitions"];
    ReplayBuffer buffer(transitions.size(), transitions[0]["obs"].size(), transitions[0]["action"].size());
    for (const auto& t : transitions) {
      const auto observation = t["obs"].get<std::vector<double>>();
      const auto next_observation = t["next_obs"].get<std::vector<double>>();
      const auto action = t["action"].get<std::vector<double>>();
      const auto reward = t["reward"].get<double>();
      buffer.add({.observation = observation,
                  .action = action,
                  .reward = {&reward, 1},
                  .next_observation = next_observation,
                  .terminated = t["done"].get<bool>() && !t["timeout"].get<bool>()});
    }
    return buffer;
  }

  /// The minibatch of update number `i`.
  TransitionBatch batch(std::size_t i) const {
    TransitionBatch batch;
    buffer().take(trace_["batch_indices"][i].get<std::vector<std::size_t>>(), batch);
    return batch;
  }

 private:
  nlohmann::json trace_;
};

}  // namespace paretofl
