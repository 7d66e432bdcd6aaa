#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/environments/environment.h"

namespace paretofl {

/// N copies of an environment that take their steps together. A copy whose episode has ended starts its next one in the
/// same step: observations() then holds the new episode's first observation, next_observations() the last one of the
/// old. Buffers are contiguous, row by copy. One thread at a time.
class EnvironmentBatch {
 public:
  /// Copy i is an environment reset with copy_stream(stream, i). Throws Error if `id` is unknown or copies is 0.
  EnvironmentBatch(std::string_view id, std::size_t copies, StreamId stream);
  /// Copy i is an environment reset with streams[i]. Throws Error if `id` is unknown or there are no streams.
  EnvironmentBatch(std::string_view id, std::span<const StreamId> streams);

  /// The stream of copy i: of `stream`'s round and client, with 64 random bits for its seed that are drawn from `stream` for
  /// copy i. So batches of neighbouring seeds, rounds or clients share no copy's stream, however many copies they have.
  static StreamId copy_stream(StreamId stream, std::size_t copy);

  /// Actions [N, A]. Throws Error, and moves no copy, if one of them is illegal.
  void step(std::span<const double> actions);
  /// Starts the first episode of streams[i] in copy i, as the constructor does. Throws Error unless there is one stream per copy.
  void reset(std::span<const StreamId> streams);
  /// Starts the next episode of every copy, whether its current one has ended or not.
  void reset();

  const EnvironmentSpec& spec() const { return copies_.front()->spec(); }
  std::size_t size() const { return copies_.size(); }  ///< N

  std::span<const double> observations() const { return observations_; }            ///< [N, D], to act on
  std::span<const double> next_observations() const { return next_observations_; }  ///< [N, D], what the last step led to
  std::span<const double> rewards() const { return rewards_; }                      ///< [N, M] of the last step
  std::span<const StepOutcome> outcomes() const { return outcomes_; }               ///< [N] of the last step

  /// The copies' states; the buffers of the last step are not part of them.
  Record save() const;
  /// Throws Error on what save() of a batch of this size and id cannot have written.
  void load(const Record& record);

 private:
  std::span<double> row(std::vector<double>& buffer, std::size_t copy) const;

  std::vector<std::unique_ptr<Environment>> copies_;
  std::vector<double> observations_;
  std::vector<double> next_observations_;
  std::vector<double> rewards_;
  std::vector<StepOutcome> outcomes_;
};

}  // namespace paretofl
