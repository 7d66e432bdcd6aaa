#include "paretofl/aggregators/mean.h"
#include "paretofl/aggregators/optimal_bipartition.h"
#include "paretofl/aggregators/spectral_bipartition.h"
#include "paretofl/aggregators/task_clusters.h"
#include "paretofl/aggregators/top_entries.h"
#include "paretofl/aggregators/update_similarity.h"
#include "paretofl/aggregators/weighted_average.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

Replies replies_of(const FloatMatrix& updates) {
  Replies replies{{}, updates.shape(0)};
  for (std::size_t i = 0; i < updates.shape(0); ++i) {
    const float* row = updates.data() + i * updates.shape(1);
    Reply& reply = replies.replies.emplace_back();
    reply.client = static_cast<int>(i);
    reply.update.assign(row, row + updates.shape(1));
  }
  return replies;
}

ClientMatrix client_matrix_of(const DoubleMatrix& values) {
  ClientMatrix matrix(values.shape(0));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) matrix(i, j) = values(i, j);
  }
  return matrix;
}

NumpyArray<double> numpy_of(const ClientMatrix& matrix) { return copied_to_numpy(matrix.values(), {matrix.size(), matrix.size()}); }

NumpyArray<std::int64_t> numpy_of(const std::vector<int>& parts) {
  const std::vector<std::int64_t> wide(parts.begin(), parts.end());
  return copied_to_numpy(std::span<const std::int64_t>(wide));
}

/// One slice per layer, of the sizes given.
Layout layers_of(const std::vector<std::int64_t>& sizes) {
  std::vector<Slice> slices;
  for (std::size_t layer = 0; layer < sizes.size(); ++layer) slices.push_back({std::to_string(layer), {sizes[layer]}, Slice::kShared, {}});
  return Layout(std::move(slices));
}

}  // namespace

// The Python module has checked that all arrays have entries and agree in their shapes, and that their numbers are finite.
void bind_aggregators(nb::module_& module) {
  module.def("mean_update", [](const FloatMatrix& updates, const Doubles& shares) {
    return copied_to_numpy(std::span<const float>(weighted_update(replies_of(updates), updates.shape(1), span_of(shares))));
  });
  module.def("layerwise_similarity", [](const FloatMatrix& updates, const std::vector<std::int64_t>& layers, double top_r) {
    return numpy_of(layerwise_similarity({updates.data(), updates.data() + updates.size()}, updates.shape(0), layers_of(layers), top_r));
  });
  module.def("similarity_weights", [](const DoubleMatrix& similarity, double s_min) {
    return numpy_of(similarity_weights(client_matrix_of(similarity), s_min));
  });
  module.def("average_models", [](const FloatMatrix& models, const DoubleMatrix& weights) {
    const int clients = static_cast<int>(models.shape(0));
    const Parameters zero(flat_layout("theta", models.shape(1)));
    ClientModels from(zero, clients);
    ClientModels to(zero, clients);
    std::vector<int> members;
    for (int i = 0; i < clients; ++i) {
      const float* row = models.data() + static_cast<std::size_t>(i) * models.shape(1);
      std::copy(row, row + models.shape(1), from.of(i).begin());
      members.push_back(i);
    }
    average_models(client_matrix_of(weights), members, from, to);
    return copied_to_numpy(to.values(), {models.shape(0), models.shape(1)});
  });
  module.def("spectral_bipartition",
             [](const DoubleMatrix& similarity) { return numpy_of(spectral_bipartition(client_matrix_of(similarity))); });
  module.def("optimal_bipartition",
             [](const DoubleMatrix& similarity) { return numpy_of(optimal_bipartition(client_matrix_of(similarity))); });
  module.def("keep_top_entries", [](const FloatMatrix& updates, double fraction) {
    std::vector<float> kept(updates.data(), updates.data() + updates.size());
    for (std::size_t i = 0; i < updates.shape(0); ++i) {
      keep_top_entries(std::span(kept).subspan(i * updates.shape(1), updates.shape(1)), fraction);
    }
    return copied_to_numpy(std::span<const float>(kept), {updates.shape(0), updates.shape(1)});
  });
  module.def("accuracy_shares", [](const Doubles& weights, double epsilon) {
    return copied_to_numpy(std::span<const double>(accuracy_shares(span_of(weights), epsilon)));
  });
}

}  // namespace paretofl::python
