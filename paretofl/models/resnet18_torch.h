#pragma once

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

struct TorchGraph;

/// The network of FedCMOO's CelebA experiments (appendix D.3): ResNet-18 (He et al. 2016) for 3x32x32 images, that is
/// with a 3x3 stem of stride 1 and no pooling behind it, four stages of two blocks with 64, 128, 256 and 512 channels,
/// convolutions without bias, and group normalization with two groups for batch normalization, whose statistics
/// federated clients don't share. Average over the upper left 3x3 of the 4x4 map, as in the authors' code, and one
/// fully connected layer for each head: d = 11,168,832 + 513 outputs M, 11,209,872 with 40 heads of two. Throws Error
/// unless all heads have the same number of outputs.
TorchGraph resnet18_graph(const std::vector<Head>& heads);

}  // namespace paretofl
