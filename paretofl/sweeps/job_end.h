#pragma once

#include <string>

namespace paretofl {

/// How a job ended, in a process or in a thread: by its exit code, or by a signal (then the code is 0). `failure` says why there was
/// neither.
struct JobEnd {
  int code = 0;
  int signal = 0;
  bool stopped = false;  ///< early and as asked, by a signal or an observer; of threads only
  std::string failure = {};

  bool ok() const { return code == 0 && signal == 0 && !stopped && failure.empty(); }
};

}  // namespace paretofl
