#include "paretofl/terminal/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace paretofl {

std::string sparkline(const std::vector<double>& values, double low, double high, std::size_t width) {
  static constexpr std::array kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t count = std::min(values.size(), width);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = values[count > 1 ? i * (values.size() - 1) / (count - 1) : values.size() - 1];
    if (!std::isfinite(value)) {
      text += ' ';
      continue;
    }
    const double share = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
    text += kBlocks[static_cast<std::size_t>(std::lround(share * static_cast<double>(kBlocks.size() - 1)))];
  }
  return text;
}

}  // namespace paretofl
