#pragma once

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

struct TorchGraph;

/// The LeNet of lenet_layout.h computed by LibTorch: the same layout, initial parameters and dropout masks
/// as Lenet, so that the two check each other. Throws Error for the heads that Lenet cannot have.
TorchGraph lenet_graph(const std::vector<Head>& heads);

}  // namespace paretofl
