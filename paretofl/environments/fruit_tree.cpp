#include "paretofl/environments/fruit_tree.h"

#include <algorithm>
#include <array>

#include "paretofl/core/error.h"
#include "paretofl/environments/fruits.h"

namespace paretofl {
namespace {

constexpr int kDepth = 6;
static_assert(kFruits.size() == 1U << kDepth);

class FruitTree : public Environment {
 public:
  explicit FruitTree(std::string id)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kInt32, {0, 0}, std::vector<double>(2, kFruits.size() - 1)},
                     .action = {.choices = 2, .low = {}, .high = {}},
                     .objective_names = {"protein", "carbohydrates", "fats", "vitamins", "minerals", "water"},
                     .max_episode_steps = 0,
                     .always_terminates = true}) {}

 private:
  void start(Random) override {
    depth_ = 0;
    place_ = 0;
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    ++depth_;
    place_ = 2 * place_ + static_cast<int>(action[0]);
    std::fill(reward.begin(), reward.end(), 0);
    if (depth_ < kDepth) return false;
    const auto& fruit = kFruits[static_cast<std::size_t>(place_)];
    std::transform(fruit.begin(), fruit.end(), reward.begin(), [](double amount) { return static_cast<float>(amount); });
    return true;
  }

  void write_observation(std::span<double> observation) const override {
    observation[0] = depth_;
    observation[1] = place_;
  }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("node", Array(std::array<std::int64_t, 2>{depth_, place_}));
    return state;
  }

  void load_state(const Record& state) override {
    const auto node = state.array("node").ints();
    const bool possible = node.size() == 2 && node[0] == steps() && node[0] <= kDepth && ended() == (node[0] == kDepth) && node[1] >= 0 &&
                          node[1] < 1LL << node[0];
    expect(possible, "{}: expected a node of the tree that is {} steps deep, found another", spec().id, steps());
    depth_ = static_cast<int>(node[0]);
    place_ = static_cast<int>(node[1]);
  }

  int depth_ = 0;
  int place_ = 0;
};

}  // namespace

std::unique_ptr<Environment> make_fruit_tree(std::string id) { return std::make_unique<FruitTree>(std::move(id)); }

}  // namespace paretofl
