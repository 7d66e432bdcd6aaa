#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

/// What outputs of m heads are compared with, each undefined if no head asks for it.
struct Truth {
  at::Tensor labels;   ///< [m, N], whole numbers
  at::Tensor targets;  ///< [m, N]
};

/// Mean losses [m], summed in double precision, of heads with outputs [m, N, C], before softmax or sigmoid.
at::Tensor mean_losses(const std::vector<Head>& heads, const at::Tensor& outputs, const Truth& truth);

/// Correct predictions or absolute errors [m] of the same, summed in double precision (Model::evaluate).
at::Tensor score_sums(const std::vector<Head>& heads, const at::Tensor& outputs, const Truth& truth);

}  // namespace paretofl
