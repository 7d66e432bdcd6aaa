#include "paretofl/terminal/text_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/printable.h"
#include "paretofl/terminal/text_table.h"

namespace paretofl {
namespace {

/// A range of values spread over cells 0 .. count-1.
struct Scale {
  double low;
  double high;
  std::size_t count;

  static Scale over(std::vector<double> values, std::size_t count) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double spread = *high - *low;
    const double margin = spread > 0 ? 0.05 * spread : std::max(0.05 * std::abs(*high), 1e-9);
    return {*low - margin, *high + margin, count};
  }
  std::size_t cell(double value) const {
    return static_cast<std::size_t>(std::lround((value - low) / (high - low) * static_cast<double>(count - 1)));
  }
  double value(std::size_t cell) const { return low + (high - low) * static_cast<double>(cell) / static_cast<double>(count - 1); }
};

/// Rows of cells, the lowest first.
class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height) : cells_(height, std::u32string(width, U' ')) {}

  /// Puts the mark there or, where another one is, beside it; '#' where no place near is free.
  void mark(std::size_t x, std::size_t y, char32_t mark) {
    std::u32string& row = cells_[y];
    const auto free = [&](std::size_t at) { return at < row.size() && (row[at] == U' ' || row[at] == kDot || row[at] == mark); };
    for (const std::size_t at : {x, x + 1, x + 2, x - 1, x - 2}) {
      if (!free(at)) continue;
      row[at] = mark;
      return;
    }
    row[x] = U'#';
  }
  void horizontal(std::size_t from, std::size_t to, std::size_t y) {
    for (std::size_t x = std::min(from, to); x <= std::max(from, to); ++x) cells_[y][x] = kDot;
  }
  void vertical(std::size_t x, std::size_t from, std::size_t to) {
    for (std::size_t y = std::min(from, to); y <= std::max(from, to); ++y) cells_[y][x] = kDot;
  }
  std::string row(std::size_t y) const {
    std::string text;
    for (const char32_t cell : cells_[y]) text += cell == kDot ? "·" : std::string(1, static_cast<char>(cell));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  static constexpr char32_t kDot = U'·';
  std::vector<std::u32string> cells_;
};

/// The border of what the front's points dominate, between neighbours.
void draw_front(Canvas& canvas, const Scale& xs, const Scale& ys, std::vector<ScatterPoint> front, Direction direction) {
  std::sort(front.begin(), front.end(), [](const ScatterPoint& a, const ScatterPoint& b) { return a.x < b.x; });
  for (std::size_t i = 0; i + 1 < front.size(); ++i) {
    const std::size_t left = xs.cell(front[i].x), right = xs.cell(front[i + 1].x);
    const std::size_t top = ys.cell(front[i].y), bottom = ys.cell(front[i + 1].y);
    const bool higher = direction == Direction::kMaximize;
    canvas.horizontal(left, right, higher ? bottom : top);
    canvas.vertical(higher ? left : right, top, bottom);
  }
}

}  // namespace

std::string text_scatter(const std::vector<ScatterPoint>& points, const ScatterOptions& options) {
  std::vector<double> all_x, all_y;
  std::vector<ScatterPoint> front;
  for (const ScatterPoint& point : points) {
    all_x.push_back(point.x);
    all_y.push_back(point.y);
    if (point.on_front) front.push_back(point);
  }
  const Scale ys = Scale::over(all_y, options.height);
  std::vector<std::string> labels(options.height);
  std::size_t margin = 0;
  for (std::size_t y = 0; y < options.height; y += 5) {
    labels[y] = fmt::format("{:.4g}", ys.value(y));
    margin = std::max(margin, labels[y].size());
  }
  const Scale xs = Scale::over(all_x, options.width - margin - 3);

  Canvas canvas(xs.count, ys.count);
  draw_front(canvas, xs, ys, front, options.direction);
  for (const ScatterPoint& point : points) canvas.mark(xs.cell(point.x), ys.cell(point.y), static_cast<char32_t>(point.mark));

  std::string text = printable(options.y_name) + '\n';
  for (std::size_t y = options.height; y-- > 0;) {
    const std::string line = fmt::format("{:>{}} {}{}", labels[y], margin, labels[y].empty() ? "│" : "┤", canvas.row(y));
    text += line + '\n';
  }
  text += std::string(margin + 1, ' ') + "└";
  for (std::size_t x = 0; x < xs.count; ++x) text += x % 20 == 0 && x + 8 <= xs.count ? "┬" : "─";
  text += '\n';
  std::string numbers(margin + 2, ' ');
  for (std::size_t x = 0; x + 8 <= xs.count; x += 20) numbers += fmt::format("{:<20}", fmt::format("{:.4g}", xs.value(x)));
  numbers.erase(numbers.find_last_not_of(' ') + 1);
  text += numbers + '\n';
  const std::string x_name = printable(options.x_name);
  const std::size_t name = display_width(x_name);
  text += std::string(options.width > name ? options.width - name : 0, ' ') + x_name + '\n';
  return text;
}

}  // namespace paretofl
