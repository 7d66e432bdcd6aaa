#include "paretofl/language/lora_dropout_torch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "paretofl/kernels/many_draws.h"
#include "paretofl/language/device_draws_torch.h"

namespace paretofl {
namespace {

// The factors of x's numbers: 0 or `scale`.
at::Tensor mask(const at::Tensor& x, std::int64_t dropped_below, float scale, const Random& stream) {
  // On a device, since drawing here and copying would take longer than all else.
  if (!x.is_cpu()) return device_draws(stream, x.numel(), x).ge(dropped_below).view(x.sizes()).to(at::kFloat) * scale;
  const at::Tensor factors = at::empty(x.sizes(), at::kFloat);
  auto* factor = factors.data_ptr<float>();
  std::array<std::uint32_t, 1024> draws;
  for (std::int64_t done = 0; done < factors.numel();) {
    const std::size_t count = std::min(draws.size(), static_cast<std::size_t>(factors.numel() - done));
    many_draws(stream, static_cast<std::uint64_t>(done), {draws.data(), count});
    for (std::size_t i = 0; i < count; ++i) factor[done + static_cast<std::int64_t>(i)] = draws[i] < dropped_below ? 0 : scale;
    done += static_cast<std::int64_t>(count);
  }
  return factors;
}

}  // namespace

at::Tensor drop_out(const at::Tensor& x, double probability, Random stream) {
  const auto dropped_below = static_cast<std::int64_t>(std::ldexp(probability, 32));
  return x * mask(x, dropped_below, static_cast<float>(1 / (1 - probability)), stream).to(x.scalar_type());
}

}  // namespace paretofl
