#pragma once

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

struct TorchGraph;

/// The network of FedCMOO's CIFAR10+MNIST experiment (appendix D.3, after Acar et al. 2021). Encoder: image
/// 3x32x32, conv 3->64 (3x3, padding 1), ReLU, max-pool 2, conv 64->64 alike, 4096 -> 384, ReLU, dropout 1/2,
/// 384 -> 192, ReLU, dropout 1/2. Head of each objective: 192 -> 100 -> outputs, nothing in between.
/// d = 1,685,888 + M (19,300 + 101 outputs), with two heads of ten 1,726,508. Throws Error unless all
/// heads have the same number of outputs.
TorchGraph cifar_cnn_graph(const std::vector<Head>& heads);

}  // namespace paretofl
