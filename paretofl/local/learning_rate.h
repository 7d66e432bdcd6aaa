#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace paretofl {

/// How a learning rate changes with the number of steps taken.
struct RateSchedule {
  double warmup = 0;  ///< steps over which it rises along a line from 0; the step after them is the first with the whole rate
  double total = 0;   ///< steps, with those of the warm-up, by which it has fallen to 0 along half a cosine; 0: it stays
};

/// The rate of the step that follows `done` steps: that of the transformers library's schedules with warm-up.
inline double scheduled_rate(const RateSchedule& schedule, double rate, double done) {
  if (done < schedule.warmup) return rate * done / schedule.warmup;
  if (schedule.total == 0) return rate;
  const double part = std::min((done - schedule.warmup) / (schedule.total - schedule.warmup), 1.0);
  return rate * (1 + std::cos(std::numbers::pi * part)) / 2;
}

}  // namespace paretofl
