#include "paretofl/runs/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/core/utf8.h"

namespace paretofl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::chrono::seconds kBetweenLines{5};
constexpr std::size_t kShortestNote = 8;

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The longest beginning of a UTF-8 text that takes at most so many columns. Characters of Asian scripts and beyond count as two.
std::string_view beginning(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t size = first_size(text.substr(end));
    const std::size_t width = size > 1 && code_point(text.substr(end, size)) >= 0x1100 ? 2 : 1;
    if (width > columns) break;
    columns -= width;
    end += size;
  }
  return text.substr(0, end);
}

bool fits(std::string_view text, std::size_t columns) { return beginning(text, columns).size() == text.size(); }

}  // namespace

ProgressOutput standard_error_progress() {
  return {.terminal = isatty(STDERR_FILENO) == 1, .columns = terminal_columns, .now = Clock::now, .write = write_message};
}

ProgressOutput silent_progress() {
  return {.terminal = false, .columns = [] { return std::size_t{80}; }, .now = Clock::now, .write = [](std::string_view) {}};
}

ProgressBar::ProgressBar(std::string_view label, long done, long total, std::string_view unit, ProgressOutput output)
    : label_(printable(label)),
      unit_(unit),
      first_(done),
      total_(total),
      output_(std::move(output)),
      start_(output_.now()),
      shown_at_(start_),
      done_(done) {}

ProgressBar::~ProgressBar() {
  if (pending_) show();
  if (drawn_) output_.write("\n");
}

void ProgressBar::say(std::string_view line) {
  if (drawn_) output_.write("\r\033[K");
  output_.write(printable(line) + '\n');
  if (drawn_) show();
}

void ProgressBar::update(long done, std::string_view note) {
  done_ = done;
  note_ = printable(note);
  pending_ = true;
  const auto pause = output_.now() - shown_at_;
  const bool due = output_.terminal ? !drawn_ || pause >= kBetweenDrawings : pause >= kBetweenLines;
  if (due || done == total_) show();
}

void ProgressBar::show() {
  if (output_.terminal) {
    output_.write("\r\033[K" + bar_line(output_.columns()));
    drawn_ = true;
  } else {
    output_.write("paretofl: " + plain_line() + '\n');
  }
  shown_at_ = output_.now();
  pending_ = false;
}

double ProgressBar::rate() const {
  const double elapsed = std::chrono::duration<double>(output_.now() - start_).count();
  return static_cast<double>(done_ - first_) / std::max(elapsed, 1e-9);
}

std::string ProgressBar::time_left() const {
  const double speed = rate();
  const long left = speed > 0 ? std::lround(static_cast<double>(total_ - done_) / speed) : 0;
  return fmt::format("{}:{:02} left", left / 60, left % 60);
}

std::string ProgressBar::plain_line() const {
  return fmt::format("{} {}/{} {}, {:.1f} {}/s, {}{}{}", label_, done_, total_, unit_, rate(), unit_, time_left(),
                     note_.empty() ? "" : "; ", note_);
}

/// The fullest of some layouts that fits. The last column stays free: a terminal may begin a new line after it.
std::string ProgressBar::bar_line(std::size_t columns) const {
  const std::size_t width = std::max<std::size_t>(columns, 1) - 1;
  const std::string count = fmt::format("{}/{}", done_, total_);
  const auto bar = [&](long size) {
    const long filled = total_ > 0 ? size * done_ / total_ : size;
    return fmt::format("[{:#<{}}{:.<{}}]", "", filled, "", size - filled);
  };
  const std::array layouts = {
      fmt::format("{} {} {}  {:.1f} {}/s  {}", label_, bar(24), count, rate(), unit_, time_left()),
      fmt::format("{} {} {}  {}", label_, bar(10), count, time_left()),
      fmt::format("{} {}  {}", label_, count, time_left()),
      fmt::format("{} {}", label_, count),
      count,
  };
  const auto fitting = std::find_if(layouts.begin(), layouts.end(), [&](const std::string& text) { return fits(text, width); });
  if (fitting == layouts.end()) return std::string(beginning(count, width));
  const std::string noted = *fitting + "  " + note_;
  if (fits(noted, width)) return note_.empty() ? *fitting : noted;
  const std::string cut = std::string(beginning(noted, std::max<std::size_t>(width, 1) - 1)) + "…";
  return fits(*fitting + std::string(2 + kShortestNote, ' '), width) ? cut : *fitting;
}

}  // namespace paretofl
