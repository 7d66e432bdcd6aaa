#include "paretofl/local/minibatch.h"

#include "paretofl/core/error.h"

namespace paretofl {

std::vector<std::uint32_t> minibatch(std::span<const std::uint32_t> samples, std::size_t batch_size, const Draw& draw) {
  if (draw.only) {
    expect(*draw.only < samples.size(), "minibatch: expected a sample below {}, found {}", samples.size(), *draw.only);
    return {samples[*draw.only]};
  }
  const std::size_t batches = samples.size() / batch_size;
  const auto step = static_cast<std::size_t>(draw.step);
  std::vector<std::uint32_t> order(samples.begin(), samples.end());
  draw.stream.substream("order", step / batches).shuffle(std::span(order));
  const auto first = order.begin() + static_cast<std::ptrdiff_t>(step % batches * batch_size);
  return {first, first + static_cast<std::ptrdiff_t>(batch_size)};
}

}  // namespace paretofl
