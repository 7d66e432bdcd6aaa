#include "paretofl/environments/fishwood.h"

#include <array>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::array<double, 2> kYieldRate = {0.1, 0.9};  ///< at the water, in the woods

class Fishwood : public Environment {
 public:
  explicit Fishwood(std::string id)
      : Environment({.id = std::move(id),
                     .observation = {ObservationSpace::Type::kInt32, {0}, {1}},
                     .action = {.choices = 2, .low = {}, .high = {}},
                     .objective_names = {"fish", "wood"},
                     .max_episode_steps = 200,
                     .always_terminates = true}) {}

 private:
  void start(Random) override { place_ = 1; }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    reward[0] = reward[1] = 0;
    if (step_random().uniform() < kYieldRate[place_]) reward[place_] = 1;
    place_ = static_cast<std::size_t>(action[0]);
    return steps() == spec().max_episode_steps;
  }

  void write_observation(std::span<double> observation) const override { observation[0] = static_cast<double>(place_); }

  Record save_state() const override {
    Record state;
    state.arrays.emplace("place", Array(std::array<std::int64_t, 1>{static_cast<std::int64_t>(place_)}));
    return state;
  }

  void load_state(const Record& state) override {
    const auto place = state.array("place").ints();
    expect(place.size() == 1 && (place[0] == 0 || place[0] == 1), "{}: expected the water or the woods, found another place", spec().id);
    place_ = static_cast<std::size_t>(place[0]);
  }

  std::size_t place_ = 1;  ///< 0 at the water, 1 in the woods
};

}  // namespace

std::unique_ptr<Environment> make_fishwood(std::string id) { return std::make_unique<Fishwood>(std::move(id)); }

}  // namespace paretofl
