#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/models/head.h"

namespace paretofl {

class TorchCall;

/// The number of outputs that all heads have; throws Error naming `model` if they differ or a head of binary
/// attributes has more than a label byte has bits.
std::int64_t equal_outputs(const std::vector<Head>& heads, const char* model);

/// Appends the slices <layer>.weight of that shape and, with `bias`, <layer>.bias.
void add_layer(std::vector<Slice>& slices, const std::string& layer, int head, std::vector<std::int64_t> shape, bool bias = true);

/// x [N, in] to [N, out] with <layer>.weight [out, in] and <layer>.bias.
at::Tensor linear(const TorchCall& call, const std::string& layer, const at::Tensor& x);

/// The same for head<k>.<layer> of every objective k of the list at once: x [N, in], or [objectives, N, in]
/// with an input for each, to [objectives, N, out].
at::Tensor linear_heads(const TorchCall& call, const std::string& layer, std::span<const int> objectives, const at::Tensor& x);

}  // namespace paretofl
