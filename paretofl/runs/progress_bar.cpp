#include "paretofl/runs/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {

ProgressBar::ProgressBar(std::string_view label, long done, long total)
    : label_(label), first_(done), total_(total), visible_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (visible_) write_message("\n");
}

void ProgressBar::say(std::string_view line) { write_message(fmt::format("{}{}\n", visible_ ? "\r\033[K" : "", printable(line))); }

void ProgressBar::update(long done, std::string_view note) {
  if (!visible_) return;
  constexpr long kWidth = 24;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double rate = static_cast<double>(done - first_) / std::max(elapsed, 1e-9);
  const long left = rate > 0 ? std::lround(static_cast<double>(total_ - done) / rate) : 0;
  const long filled = total_ > 0 ? kWidth * done / total_ : kWidth;
  write_message(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {}/{}  {:.1f} rounds/s  {}:{:02} left  {}", label_, "", filled, "",
                            kWidth - filled, done, total_, rate, left / 60, left % 60, printable(note)));
}

}  // namespace paretofl
