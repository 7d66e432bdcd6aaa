#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace paretofl {

/// Where progress is shown, and the time that it goes by.
struct ProgressOutput {
  bool terminal = false;
  std::function<std::size_t()> columns;  ///< of the terminal, as wide as it is now
  std::function<std::chrono::steady_clock::time_point()> now;
  std::function<void(std::string_view)> write;
};

/// Standard error and the system's clock.
ProgressOutput standard_error_progress();

/// Nowhere.
ProgressOutput silent_progress();

/// How far long work is. On a terminal: one line with a bar, the speed and the time left, which is drawn again at most ten times a
/// second and never wider than the terminal. Elsewhere: a line at most every five seconds. Both always show the last step that was
/// done.
class ProgressBar {
 public:
  /// `unit` is what is counted, in the plural.
  ProgressBar(std::string_view label, long done, long total, std::string_view unit = "rounds",
              ProgressOutput output = standard_error_progress());
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `note` is a few words about the last step.
  void update(long done, std::string_view note);

  /// A line on its own, also where there is no terminal; the bar goes on below it.
  void say(std::string_view line);

 private:
  void show();
  std::string bar_line(std::size_t columns) const;
  std::string plain_line() const;
  double rate() const;
  std::string time_left() const;

  std::string label_;
  std::string unit_;
  long first_;
  long total_;
  ProgressOutput output_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_at_;
  long done_;
  std::string note_;
  bool pending_ = false;  ///< an update has not been shown yet
  bool drawn_ = false;    ///< the terminal's line has been drawn
};

}  // namespace paretofl
