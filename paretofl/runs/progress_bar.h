#pragma once

#include <chrono>
#include <string_view>

namespace paretofl {

/// A one-line progress bar on stderr with rounds per second and the time left; silent unless stderr is
/// a terminal.
class ProgressBar {
 public:
  ProgressBar(std::string_view label, long done, long total);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `note` is a few words about the last round.
  void update(long done, std::string_view note);

  /// A line on stderr, also where there is no terminal; the bar goes on below it.
  void say(std::string_view line);

 private:
  std::string_view label_;
  long first_;
  long total_;
  bool visible_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace paretofl
