#include "paretofl/aggregators/server_optimizer.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

struct SgdOptions {
  double lr = 1;

  void describe(OptionVisitor& visit) { visit.real("lr", lr, 0, kInfinity, "server learning rate (eta_s)"); }
};

class Sgd : public ServerOptimizer {
 public:
  explicit Sgd(SgdOptions options) : options_(options) {}
  void apply(std::span<const float> update, Parameters& global) override { global.step(options_.lr, update); }

 private:
  SgdOptions options_;
};

struct MomentumOptions {
  double lr = 1;
  double momentum = 0.9;

  void describe(OptionVisitor& visit) {
    visit.real("lr", lr, 0, kInfinity, "server learning rate (eta_s)");
    visit.real("momentum", momentum, 0, 1, "decay of the velocity");
  }
};

void save_floats(Record& record, std::string name, std::span<const float> values) {
  record.arrays.insert_or_assign(std::move(name), Array(values));
}

/// What a state brought must belong to this model; a first round has brought none.
void expect_size(std::span<const float> state, std::size_t size, const char* name) {
  expect(state.empty() || state.size() == size, "server optimizer: expected {} numbers in {}, found {}", size, name, state.size());
}

std::vector<float> load_floats(const Record& record, std::string_view name) {
  const auto values = record.array(name).floats();
  return {values.begin(), values.end()};
}

/// v <- momentum v + update; theta <- theta - lr v.
class Momentum : public ServerOptimizer {
 public:
  explicit Momentum(MomentumOptions options) : options_(options) {}

  void apply(std::span<const float> update, Parameters& global) override {
    expect_size(velocity_, update.size(), "velocity");
    velocity_.resize(update.size());
    const auto decay = static_cast<float>(options_.momentum);
    for (std::size_t i = 0; i < update.size(); ++i) velocity_[i] = decay * velocity_[i] + update[i];
    global.step(options_.lr, velocity_);
  }
  void save(Record& record) const override { save_floats(record, "velocity", velocity_); }
  void load(const Record& record) override { velocity_ = load_floats(record, "velocity"); }

 private:
  MomentumOptions options_;
  std::vector<float> velocity_;
};

struct AdaptiveOptions {
  double lr = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double epsilon = 1e-3;  ///< tau in Reddi et al.

  void describe(OptionVisitor& visit) {
    visit.real("lr", lr, 0, kInfinity, "server learning rate (eta_s)");
    visit.real("beta1", beta1, 0, 1, "decay of the first moment");
    visit.real("beta2", beta2, 0, 1, "decay of the second moment");
    visit.real("epsilon", epsilon, 1e-12, kInfinity, "added to the root of the second moment; it starts at epsilon^2");
  }
};

/// FedAdam and FedYogi: the same first moment, two rules for the second; no bias correction.
class Adaptive : public ServerOptimizer {
 public:
  Adaptive(AdaptiveOptions options, bool yogi) : options_(options), yogi_(yogi) {}

  void apply(std::span<const float> update, Parameters& global) override {
    if (first_.empty()) {
      first_.assign(update.size(), 0);
      second_.assign(update.size(), static_cast<float>(options_.epsilon * options_.epsilon));
    }
    expect_size(first_, update.size(), "first_moment");
    expect_size(second_, update.size(), "second_moment");
    std::vector<float> direction(update.size());
    const auto beta1 = static_cast<float>(options_.beta1);
    const auto rest2 = static_cast<float>(1 - options_.beta2);
    const auto epsilon = static_cast<float>(options_.epsilon);
    for (std::size_t i = 0; i < update.size(); ++i) {
      const float square = update[i] * update[i];
      first_[i] = beta1 * first_[i] + (1 - beta1) * update[i];
      const float change = square - second_[i];
      second_[i] += yogi_ ? rest2 * std::copysign(change == 0 ? 0 : square, change) : rest2 * change;
      direction[i] = first_[i] / (std::sqrt(second_[i]) + epsilon);
    }
    global.step(options_.lr, direction);
  }
  void save(Record& record) const override {
    save_floats(record, "first_moment", first_);
    save_floats(record, "second_moment", second_);
  }
  void load(const Record& record) override {
    first_ = load_floats(record, "first_moment");
    second_ = load_floats(record, "second_moment");
    expect(first_.size() == second_.size(), "server optimizer: expected moments of one size, found {} and {}", first_.size(),
           second_.size());
  }

 private:
  AdaptiveOptions options_;
  bool yogi_;
  std::vector<float> first_;
  std::vector<float> second_;
};

}  // namespace

Registry<std::unique_ptr<ServerOptimizer>(const Settings&)>& server_optimizers() {
  static Registry<std::unique_ptr<ServerOptimizer>(const Settings&)> registry(
      "server optimizer",
      {{{"sgd", "the update times a learning rate", "McMahan et al. 2017; Reddi et al. 2021, Algorithm 1", described<SgdOptions>()},
        [](const Settings& settings) { return std::make_unique<Sgd>(read_options<SgdOptions>(settings, "server_optimizer")); }},
       {{"momentum", "heavy-ball momentum (FedAvgM)", "Hsu et al. 2019", described<MomentumOptions>()},
        [](const Settings& settings) { return std::make_unique<Momentum>(read_options<MomentumOptions>(settings, "server_optimizer")); }},
       {{"adam", "adaptive moments (FedAdam)", "Reddi et al. 2021, Algorithm 2", described<AdaptiveOptions>()},
        [](const Settings& settings) {
          return std::make_unique<Adaptive>(read_options<AdaptiveOptions>(settings, "server_optimizer"), false);
        }},
       {{"yogi", "adaptive moments with Yogi's second moment (FedYogi)", "Reddi et al. 2021, Algorithm 2", described<AdaptiveOptions>()},
        [](const Settings& settings) {
          return std::make_unique<Adaptive>(read_options<AdaptiveOptions>(settings, "server_optimizer"), true);
        }}});
  return registry;
}

std::unique_ptr<ServerOptimizer> make_server_optimizer(const Component& component) {
  return server_optimizers().at(component.name).make(component.settings);
}

}  // namespace paretofl
