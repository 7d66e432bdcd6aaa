#pragma once

#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

struct TorchGraph;

/// The message-passing network of FedCMOO's QM9 experiment (Gilmer et al. 2017, as in LibMTL's QM9 example), for M
/// objectives of one output each, on molecules as molecule_input.h lays them out:
///
///     h = ReLU(embed x), 11 -> 64; then three times, with the same parameters,
///     m_i = root h_i + bias + mean over j != i of W(e_ij) h_j, W(e) = edge2 ReLU(edge1 e), 5 -> 128 -> 64 x 64
///     h_i = GRU(ReLU(m_i), h_i)
///     q = Set2Set of the molecule's h_i, three steps, 128 (Vinyals et al. 2016)
///     features = ReLU(readout q), 128 -> 64; head of each objective: 64 -> 1
///
/// d = 616,960 + 65 M, 617,675 for QM9's 11. No dropout. Parameters start as PyTorch's and PyTorch Geometric's do. Throws Error unless
/// every head has one output.
TorchGraph mpnn_graph(const std::vector<Head>& heads);

}  // namespace paretofl
