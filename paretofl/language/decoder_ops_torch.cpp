#include "paretofl/language/decoder_ops_torch.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "paretofl/kernels/decoder_kernels.h"

namespace paretofl {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

std::size_t extent(const at::Tensor& x, std::int64_t dimension) { return static_cast<std::size_t>(x.size(dimension)); }

struct RmsNorm : torch::autograd::Function<RmsNorm> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& weight, double epsilon) {
    const at::Tensor x = given.contiguous();
    const at::Tensor y = at::empty_like(x);
    const at::Tensor factors = at::empty({x.size(0)}, x.options());
    rms_norm_rows(x.data_ptr<float>(), weight.data_ptr<float>(), static_cast<float>(epsilon), extent(x, 0), extent(x, 1),
                  y.data_ptr<float>(), factors.data_ptr<float>());
    context->save_for_backward({x, weight, factors});
    return y;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor by_y = gradients[0].contiguous();
    const at::Tensor by_x = at::empty_like(by_y);
    const at::Tensor by_weight = context->needs_input_grad(1) ? at::zeros_like(saved[1]) : at::Tensor();
    rms_norm_gradients(saved[0].data_ptr<float>(), saved[1].data_ptr<float>(), saved[2].data_ptr<float>(), by_y.data_ptr<float>(),
                       extent(by_y, 0), extent(by_y, 1), by_x.data_ptr<float>(),
                       by_weight.defined() ? by_weight.data_ptr<float>() : nullptr);
    return {by_x, by_weight, {}};
  }
};

struct SiluGate : torch::autograd::Function<SiluGate> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& given_factors) {
    const at::Tensor x = given.contiguous();
    const at::Tensor factors = given_factors.contiguous();
    const at::Tensor y = at::empty_like(x);
    gate_numbers(x.data_ptr<float>(), factors.data_ptr<float>(), static_cast<std::size_t>(x.numel()), y.data_ptr<float>());
    context->save_for_backward({x, factors});
    return y;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor by_y = gradients[0].contiguous();
    const at::Tensor by_x = at::empty_like(by_y);
    const at::Tensor by_factors = at::empty_like(by_y);
    gate_gradients(saved[0].data_ptr<float>(), saved[1].data_ptr<float>(), by_y.data_ptr<float>(), static_cast<std::size_t>(by_y.numel()),
                   by_x.data_ptr<float>(), by_factors.data_ptr<float>());
    return {by_x, by_factors};
  }
};

at::Tensor turned(const at::Tensor& given, const at::Tensor& cosines, const at::Tensor& sines, bool backwards) {
  const at::Tensor x = given.contiguous();
  const at::Tensor y = at::empty_like(x);
  rotate_rows(x.data_ptr<float>(), cosines.data_ptr<float>(), sines.data_ptr<float>(), extent(x, 0), extent(x, 1), extent(x, 2) / 2,
              backwards, y.data_ptr<float>());
  return y;
}

struct Rotation : torch::autograd::Function<Rotation> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines) {
    context->save_for_backward({cosines, sines});
    return turned(x, cosines, sines, false);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    return {turned(gradients[0], saved[0], saved[1], true), {}, {}};
  }
};

}  // namespace

bool has_kernels(const at::Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kFloat; }

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  if (has_kernels(x)) return RmsNorm::apply(x, weight, epsilon);
  const at::Tensor wide = x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
  const at::Tensor factors = (wide.square().mean(-1, true) + epsilon).rsqrt();
  if (weight.scalar_type() != x.scalar_type()) return (wide * factors * weight).to(x.scalar_type());  // wider weights
  return (wide * factors).to(x.scalar_type()) * weight;
}

at::Tensor activate(const std::string& name, const at::Tensor& x) {
  if (name == "silu") return at::silu(x);
  if (name == "relu") return at::relu(x);
  if (name == "tanh") return at::tanh(x);
  return at::gelu(x, name == "gelu_new" ? "tanh" : "none");
}

at::Tensor silu_gate(const at::Tensor& x, const at::Tensor& factors) {
  if (has_kernels(x)) return SiluGate::apply(x, factors);
  return at::silu(x) * factors;
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines) {
  if (has_kernels(x)) return Rotation::apply(x, cosines, sines);
  const std::vector<at::Tensor> halves = x.chunk(2, -1);
  return at::cat({halves[0] * cosines - halves[1] * sines, halves[1] * cosines + halves[0] * sines}, -1);
}

}  // namespace paretofl
