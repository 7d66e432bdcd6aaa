#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

/// Mean losses [m], summed in double precision, of heads with outputs [m, N, C], before softmax or sigmoid, on labels [m, N] (whole
/// numbers).
at::Tensor mean_losses(const std::vector<Head>& heads, const at::Tensor& outputs, const at::Tensor& labels);

/// Correct predictions [m] of the same, in double precision (Model::evaluate).
at::Tensor correct_predictions(const std::vector<Head>& heads, const at::Tensor& outputs, const at::Tensor& labels);

}  // namespace paretofl
