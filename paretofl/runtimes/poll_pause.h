#pragma once

#include <chrono>
#include <thread>

namespace paretofl {

/// Pauses between polls: short while an answer may be near, then long enough that a rank that waits leaves
/// its core to those that compute.
class PollPause {
 public:
  void operator()() {
    if (++polls_ < 1000) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  void reset() { polls_ = 0; }

 private:
  int polls_ = 0;
};

}  // namespace paretofl
