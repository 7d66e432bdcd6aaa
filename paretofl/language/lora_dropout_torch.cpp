#include "paretofl/language/lora_dropout_torch.h"

#include <ATen/ATen.h>

#include <cmath>

namespace paretofl {

at::Tensor drop_out(const at::Tensor& x, double probability, Random stream) {
  const auto dropped_below = static_cast<std::uint64_t>(std::ldexp(probability, 32));
  const auto kept = static_cast<float>(1 / (1 - probability));
  const at::Tensor factors = at::empty(x.sizes(), at::kFloat);
  auto* factor = factors.data_ptr<float>();
  for (std::int64_t i = 0; i < factors.numel(); ++i) factor[i] = stream() < dropped_below ? 0 : kept;
  return x * factors.to(x.device(), x.scalar_type());
}

}  // namespace paretofl
