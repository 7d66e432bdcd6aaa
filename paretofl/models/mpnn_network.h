#pragma once

#include <span>
#include <string>

#include "paretofl/core/layout.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// The message-passing network of mpnn_torch.h on the slices of its layout, for other programs: molecules padded to kMaxAtoms places
/// P, as "nodes" [N, P, kNodeFeatures], "edges" [N, P, P, kEdgeFeatures] and "mask" [N, P] (1 where there is an atom, else 0), to
/// an output [1] of each objective, named `objectives` [M]. The numbers of messages and of readouts are the model's.
NetworkGraph mpnn_network(const Layout& layout, int messages, int readouts, std::span<const std::string> objectives);

}  // namespace paretofl
