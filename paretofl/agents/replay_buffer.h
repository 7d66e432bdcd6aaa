#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// n transitions side by side.
struct TransitionBatch {
  std::size_t size = 0;                  ///< n
  std::vector<float> observations;       ///< [n, D]
  std::vector<float> actions;            ///< [n, A]
  std::vector<float> rewards;            ///< [n, R]: scalarized, R = 1, or of each objective, R = M
  std::vector<float> next_observations;  ///< [n, D], of the episode's own end where it ended
  std::vector<float> continues;          ///< [n], 0 if the episode terminated, else 1: what the bootstrap is multiplied by
};

/// One transition to add to a buffer. An episode that was only truncated by the step limit continues.
struct Transition {
  std::span<const double> observation;       ///< [D]
  std::span<const double> action;            ///< [A]
  std::span<const double> reward;            ///< [R]
  std::span<const double> next_observation;  ///< [D]
  bool terminated = false;
};

/// The last `capacity` transitions, as a ring of float32 (as Stable-Baselines3 keeps them). Grows with what it holds.
class ReplayBuffer {
 public:
  ReplayBuffer(std::size_t capacity, std::size_t observation_size, std::size_t action_size, std::size_t reward_size = 1);

  std::size_t size() const { return held_.size; }
  void add(const Transition& transition);

  /// Fills `batch` with `count` transitions drawn uniformly with replacement. Throws Error from an empty buffer.
  void sample(std::size_t count, Random& random, TransitionBatch& batch) const;
  /// The transitions at these places of the ring, below size(). They fill in order of time, from 0, and then again from 0.
  void take(std::span<const std::size_t> places, TransitionBatch& batch) const;

  Record save() const;
  /// Throws Error on what a buffer of these sizes cannot have saved.
  void load(const Record& state);

 private:
  std::size_t capacity_;
  std::size_t observation_size_;
  std::size_t action_size_;
  std::size_t reward_size_;
  std::size_t next_ = 0;  ///< the place the next transition goes to
  TransitionBatch held_;
};

}  // namespace paretofl
