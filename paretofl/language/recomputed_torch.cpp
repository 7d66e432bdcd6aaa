#include "paretofl/language/recomputed_torch.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

namespace paretofl {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A node of a graph has single tensors as inputs, so the slices are one.
using PackedFunction = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& packed)>;

// The function in the form in which a node can hold it.
struct HeldFunction : torch::CustomClassHolder {
  explicit HeldFunction(PackedFunction given) : function(std::move(given)) {}
  PackedFunction function;
};

struct Recomputed : torch::autograd::Function<Recomputed> {
  static at::Tensor forward(AutogradContext* context, const c10::intrusive_ptr<HeldFunction>& held, const at::Tensor& x,
                            const at::Tensor& packed) {
    context->saved_data["function"] = c10::IValue::make_capsule(held);
    context->saved_data["of_x"] = x.requires_grad();
    context->saved_data["of_packed"] = packed.requires_grad();
    context->save_for_backward({x, packed});
    return held->function(x, packed);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto held = context->saved_data["function"].toCapsule();
    const variable_list saved = context->get_saved_variables();
    const at::Tensor x = saved[0].detach().set_requires_grad(context->saved_data["of_x"].toBool());
    const at::Tensor packed = saved[1].detach().set_requires_grad(context->saved_data["of_packed"].toBool());
    at::Tensor y;
    {
      const at::AutoGradMode with_graph(true);
      y = static_cast<const HeldFunction&>(*held).function(x, packed);
    }
    variable_list inputs;
    for (const at::Tensor& input : {x, packed}) {
      if (input.requires_grad()) inputs.push_back(input);
    }
    const variable_list found = torch::autograd::grad({y}, inputs, {gradients[0]}, false, false, true);
    return {{}, x.requires_grad() ? found.front() : at::Tensor(), packed.requires_grad() ? found.back() : at::Tensor()};
  }
};

}  // namespace

at::Tensor recomputed(const StatesFunction& function, const at::Tensor& x, const std::vector<at::Tensor>& slices) {
  std::vector<at::Tensor> flat;
  std::vector<std::int64_t> sizes;
  std::vector<std::vector<std::int64_t>> shapes;
  for (const at::Tensor& slice : slices) {
    flat.push_back(slice.reshape(-1));
    sizes.push_back(slice.numel());
    shapes.push_back(slice.sizes().vec());
  }
  const auto of_packed = [function, sizes, shapes](const at::Tensor& input, const at::Tensor& packed) {
    std::vector<at::Tensor> parts;
    if (!shapes.empty()) parts = packed.split_with_sizes(sizes);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = parts[i].view(shapes[i]);
    return function(input, parts);
  };
  return Recomputed::apply(c10::make_intrusive<HeldFunction>(of_packed), x, slices.empty() ? at::empty({0}, x.options()) : at::cat(flat));
}

}  // namespace paretofl
