#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace paretofl {

/// An activation by its name in LanguageModelConfig: "silu", "gelu", "gelu_new", "relu" or "tanh".
at::Tensor activate(const std::string& name, const at::Tensor& x);

}  // namespace paretofl
