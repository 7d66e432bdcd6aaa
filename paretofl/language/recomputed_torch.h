#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace paretofl {

/// A function of hidden states x [N, H] and of the adapter's slices that it reads, in any shapes; it gives hidden states [n, H].
using StatesFunction = std::function<at::Tensor(const at::Tensor& x, const std::vector<at::Tensor>& slices)>;

/// function(x, slices), differentiable, of which nothing but x and the slices is kept: each backward pass calls the function again
/// (gradient checkpointing, Chen et al. 2016, Training Deep Nets with Sublinear Memory Cost). Gradients have the same bits as without,
/// for a function that gives the same result each time. What the function refers to must outlive the graph. Gradients of gradients are not
/// supported.
at::Tensor recomputed(const StatesFunction& function, const at::Tensor& x, const std::vector<at::Tensor>& slices);

}  // namespace paretofl
