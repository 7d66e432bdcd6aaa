#pragma once

#include <vector>

#include "paretofl/aggregators/client_matrix.h"

namespace paretofl {

/// Splits n >= 2 clients in two by spectral clustering of their similarities in [-1, 1] (FedPref, Algorithm 2, line 9;
/// Shi and Malik 2000). Affinities are (1 + sim) / 2 between different clients; the second eigenvector of the normalized
/// Laplacian, divided by the square roots of the degrees, places every client on a line, which is cut in two where the
/// squares of distances to the parts' means have the least sum. That sum is what the k-means of scikit-learn's
/// SpectralClustering (two clusters, precomputed affinity) looks for from random starts; cutting a line finds it exactly.
///
/// Returns each client's part [n], 0 that of the first client, 1 the other; neither is empty. Deterministic. Where the
/// answer is unique it does not depend on the order of the clients; of equal cuts the most even one is taken. Throws
/// Error for n < 2.
std::vector<int> spectral_bipartition(const ClientMatrix& similarity);

}  // namespace paretofl
