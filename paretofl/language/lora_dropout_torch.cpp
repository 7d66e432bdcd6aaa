#include "paretofl/language/lora_dropout_torch.h"

#include <ATen/ATen.h>

#include <cmath>

#include "paretofl/language/device_draws_torch.h"

namespace paretofl {
namespace {

at::Tensor kept_numbers(const at::Tensor& x, std::int64_t dropped_below, Random stream) {
  // On a device, since drawing here and copying would take longer than all else.
  if (!x.is_cpu()) return device_draws(stream, x.numel(), x).ge(dropped_below).view(x.sizes());
  const at::Tensor kept = at::empty(x.sizes(), at::kBool);
  auto* number = kept.data_ptr<bool>();
  for (std::int64_t i = 0; i < kept.numel(); ++i) number[i] = stream() >= dropped_below;
  return kept;
}

}  // namespace

at::Tensor drop_out(const at::Tensor& x, double probability, Random stream) {
  const at::Tensor kept = kept_numbers(x, static_cast<std::int64_t>(std::ldexp(probability, 32)), stream);
  return x * (kept.to(at::kFloat) * (1 / (1 - probability))).to(x.scalar_type());
}

}  // namespace paretofl
