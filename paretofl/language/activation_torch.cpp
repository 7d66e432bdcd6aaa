#include "paretofl/language/activation_torch.h"

#include <ATen/ATen.h>

namespace paretofl {

at::Tensor activate(const std::string& name, const at::Tensor& x) {
  if (name == "silu") return at::silu(x);
  if (name == "relu") return at::relu(x);
  if (name == "tanh") return at::tanh(x);
  return at::gelu(x, name == "gelu_new" ? "tanh" : "none");
}

}  // namespace paretofl
