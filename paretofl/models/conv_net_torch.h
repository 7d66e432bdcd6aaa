#pragma once

#include <vector>

#include "paretofl/models/conv_net_shape.h"

namespace paretofl {

struct TorchGraph;

/// A network of conv_net_shape.h computed by LibTorch: the same layout, initial parameters and dropout masks as
/// ConvNet, so that the two check each other. Throws Error for heads that equal_outputs or conv_net_layout refuse.
TorchGraph conv_net_graph(const ConvNetShape& shape, const std::vector<Head>& heads);

}  // namespace paretofl
