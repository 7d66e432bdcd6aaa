#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/record.h"
#include "paretofl/core/thread_pool.h"
#include "paretofl/local/adam.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// A weighted mean of losses over examples, which training makes small. Its calls are safe from several threads.
class TrainingLoss {
 public:
  virtual ~TrainingLoss() = default;

  virtual const std::shared_ptr<const Layout>& layout() const = 0;
  virtual std::size_t examples() const = 0;
  /// Of one example, such as the number of its tokens.
  virtual double weight(std::size_t example) const = 0;
  /// Weighted sum of these examples' losses at theta [d]; writes its gradient [d].
  virtual double sum(std::span<const std::size_t> examples, std::span<const float> theta, std::span<float> gradient) const = 0;
};

/// How parameters are trained on a fixed set of examples.
struct TrainingOptions {
  std::int64_t epochs = 3;
  std::int64_t batch = 16;
  std::int64_t part = 4;
  double learning_rate = 1e-3;
  double final_rate = 0.1;
  double warm_up = 0.05;
  double weight_decay = 0.1;
  double clip = 1;

  void describe(OptionVisitor& visit);
};

/// Training of all parameters by AdamW (Loshchilov and Hutter 2019): in every epoch minibatches of a new order of the examples;
/// the rate rises linearly over the warm-up, then falls along half a cosine; the gradient is scaled down to a largest norm;
/// matrices decay, vectors (norms, biases) do not. A minibatch is cut into parts of a fixed size, which threads take, and
/// their gradients are added in order, so the number of threads does not change a bit.
class ParameterTraining {
 public:
  /// Starts at theta [d]; `loss` and `pool` must outlive this. Orders come from the streams (seed, epoch, "order").
  ParameterTraining(const TrainingOptions& options, const TrainingLoss& loss, std::uint64_t seed, ThreadPool& pool,
                    std::vector<float> theta);

  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  std::int64_t steps() const { return options_.epochs * steps_per_epoch_; }  ///< in all
  std::int64_t steps_done() const { return done_; }
  std::span<const float> theta() const { return theta_; }

  /// One step of the optimizer. Returns the minibatch's loss before it; throws Error if that is not finite.
  double advance();

  /// Parameters, optimizer and steps done.
  Record save() const;
  void load(const Record& state);

 private:
  double rate() const;
  std::vector<std::size_t> minibatch() const;
  double add_gradients(std::span<const std::size_t> batch);

  TrainingOptions options_;
  const TrainingLoss& loss_;
  std::uint64_t seed_;
  ThreadPool& pool_;
  std::vector<float> theta_;
  Adam adam_;
  std::int64_t steps_per_epoch_;
  std::int64_t done_ = 0;
  std::vector<float> gradient_;
  std::vector<std::vector<float>> parts_;  // [parts][d]
};

}  // namespace paretofl
