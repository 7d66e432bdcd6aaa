#include "paretofl/environments/breakable_bottles.h"

#include <algorithm>
#include <array>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr int kHome = 4;
constexpr int kMostBottles = 2;  ///< carried at once, and delivered in all
constexpr double kDropRate = 0.1;
constexpr double kBottleReward = 25;

class BreakableBottles : public Environment {
 public:
  explicit BreakableBottles(std::string id)
      : Environment(
            {.id = std::move(id),
             .observation = {ObservationSpace::Type::kInt32, std::vector<double>(6, 0), {kHome, kMostBottles, kMostBottles, 1, 1, 1}},
             .action = {.choices = 3, .low = {}, .high = {}},
             .objective_names = {"time", "bottles", "impact"},
             .max_episode_steps = 100}) {}

 private:
  void start(Random) override {
    place_ = kHome;
    carried_ = delivered_ = 0;
    broken_ = {};
  }

  bool advance(std::span<const double> action, std::span<double> reward) override {
    const bool had_broken = any_broken();
    reward[0] = -1;
    reward[1] = 0;
    if (action[0] == 2) {
      if (place_ == 0) carried_ = std::min(carried_ + 1, kMostBottles);
    } else {
      reward[1] = kBottleReward * move(action[0] == 0 ? -1 : 1);
    }
    reward[2] = any_broken() && !had_broken ? -1 : 0;
    return delivered_ == kMostBottles;
  }

  /// Returns how many bottles come home by it.
  int move(int direction) {
    const int place = std::clamp(place_ + direction, 0, kHome);
    if (place == place_) return 0;
    if (place_ > 0 && place_ < kHome && carried_ == kMostBottles && step_random().uniform() < kDropRate) {
      --carried_;
      broken_[static_cast<std::size_t>(place_ - 1)] = true;
    }
    place_ = place;
    if (place_ != kHome) return 0;
    const int missing = kMostBottles - delivered_;
    const int handed_over = std::min(carried_, missing);
    delivered_ += handed_over;
    carried_ = 0;
    return handed_over;
  }

  bool any_broken() const {
    return std::any_of(broken_.begin(), broken_.end(), [](bool broken) { return broken; });
  }

  std::array<std::int64_t, 6> state() const {
    return {place_, carried_, delivered_, broken_[0] ? 1 : 0, broken_[1] ? 1 : 0, broken_[2] ? 1 : 0};
  }

  void write_observation(std::span<double> observation) const override {
    const auto numbers = state();
    std::copy(numbers.begin(), numbers.end(), observation.begin());
  }

  Record save_state() const override {
    Record record;
    record.arrays.emplace("carrier", Array(state()));
    return record;
  }

  void load_state(const Record& state) override {
    const auto carrier = state.array("carrier").ints();
    const auto within = [&](std::size_t i) {
      return carrier[i] >= 0 && carrier[i] <= static_cast<std::int64_t>(spec().observation.high[i]);
    };
    const bool possible = carrier.size() == 6 && within(0) && within(1) && within(2) && within(3) && within(4) && within(5) &&
                          ended() >= (carrier[2] == kMostBottles);
    expect(possible, "{}: expected a carrier of at most {} bottles on the way, found another", spec().id, kMostBottles);
    place_ = static_cast<int>(carrier[0]);
    carried_ = static_cast<int>(carrier[1]);
    delivered_ = static_cast<int>(carrier[2]);
    std::transform(carrier.begin() + 3, carrier.end(), broken_.begin(), [](std::int64_t flag) { return flag == 1; });
  }

  int place_ = kHome;
  int carried_ = 0;
  int delivered_ = 0;
  std::array<bool, 3> broken_{};  ///< whether a bottle lies at place 1, 2, 3
};

}  // namespace

std::unique_ptr<Environment> make_breakable_bottles(std::string id) { return std::make_unique<BreakableBottles>(std::move(id)); }

}  // namespace paretofl
