#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/models/molecule_input.h"

namespace paretofl {

/// The message-passing network as its equations say, one molecule at a time, in double precision: an edge's 64 x 64
/// matrix is made and applied. What the model's reordered products are held against.
class MpnnReference {
 public:
  using Vector = std::vector<double>;

  MpnnReference(const Layout& layout, Vector theta) : layout_(layout), theta_(std::move(theta)) {}

  /// The output of objective k's head for a molecule laid out as molecule_input.h says.
  double output(const float* molecule, int k) const {
    const auto atoms = static_cast<std::size_t>(molecule[0]);
    std::vector<Vector> states;
    for (std::size_t i = 0; i < atoms; ++i) {
      const float* place = molecule + 1 + i * kAtomNumbers;
      states.push_back(relu(affine("encoder.embed", Vector(place, place + kNodeFeatures))));
    }
    for (int step = 0; step < 3; ++step) {
      std::vector<Vector> next;
      for (std::size_t i = 0; i < atoms; ++i) next.push_back(gru(relu(message(molecule, states, i)), states[i]));
      states = next;
    }
    return affine("head" + std::to_string(k) + ".output", relu(affine("encoder.readout", set2set(states))))[0];
  }

 private:
  const double* data(const std::string& slice) const { return theta_.data() + layout_.slice(slice).range.begin; }

  Vector affine(const std::string& layer, const Vector& x) const {
    const auto out = static_cast<std::size_t>(layout_.slice(layer + ".weight").shape[0]);
    const double* weight = data(layer + ".weight");
    Vector y(data(layer + ".bias"), data(layer + ".bias") + out);
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += weight[o * x.size() + i] * x[i];
    }
    return y;
  }

  /// W(e), [in, out], of a hidden layer a: W = sum_c a_c W_c + W_bias.
  Vector edge_matrix(const Vector& hidden) const {
    const double* weight = data("encoder.edge2.weight");  // [out, c, in], the bias last
    constexpr std::size_t kWidth = 64;
    Vector matrix(kWidth * kWidth);
    for (std::size_t out = 0; out < kWidth; ++out) {
      for (std::size_t in = 0; in < kWidth; ++in) {
        for (std::size_t c = 0; c <= hidden.size(); ++c) {
          matrix[in * kWidth + out] += (c < hidden.size() ? hidden[c] : 1) * weight[(out * (hidden.size() + 1) + c) * kWidth + in];
        }
      }
    }
    return matrix;
  }

  static Vector relu(Vector x) {
    for (double& value : x) value = std::max(value, 0.0);
    return x;
  }
  static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

  Vector message(const float* molecule, const std::vector<Vector>& states, std::size_t i) const {
    Vector sum = affine("encoder.root", states[i]);
    const std::size_t width = sum.size();
    for (std::size_t j = 0; j < states.size(); ++j) {
      if (j == i) continue;
      const float* pair = molecule + 1 + i * kAtomNumbers + kNodeFeatures + j * kEdgeFeatures;
      const Vector matrix = edge_matrix(relu(affine("encoder.edge1", Vector(pair, pair + kEdgeFeatures))));
      for (std::size_t in = 0; in < width; ++in) {
        for (std::size_t out = 0; out < width; ++out) {
          sum[out] += matrix[in * width + out] * states[j][in] / static_cast<double>(states.size() - 1);
        }
      }
    }
    return sum;
  }

  // Gates in PyTorch's order: reset, update, new.
  Vector gru(const Vector& input, const Vector& state) const {
    const Vector x = affine("encoder.gru.input", input);
    const Vector h = affine("encoder.gru.state", state);
    const std::size_t width = state.size();
    Vector next(width);
    for (std::size_t u = 0; u < width; ++u) {
      const double reset = sigmoid(x[u] + h[u]);
      const double update = sigmoid(x[width + u] + h[width + u]);
      const double candidate = std::tanh(x[2 * width + u] + reset * h[2 * width + u]);
      next[u] = (1 - update) * candidate + update * state[u];
    }
    return next;
  }

  // LSTM gates in PyTorch's order: input, forget, cell, output.
  Vector set2set(const std::vector<Vector>& states) const {
    const std::size_t width = states[0].size();
    Vector both(2 * width), query(width), cell(width);
    for (int step = 0; step < 3; ++step) {
      const Vector x = affine("encoder.set2set.input", both);
      const Vector h = affine("encoder.set2set.state", query);
      for (std::size_t u = 0; u < width; ++u) {
        const auto gate = [&](std::size_t index) { return x[index * width + u] + h[index * width + u]; };
        cell[u] = sigmoid(gate(1)) * cell[u] + sigmoid(gate(0)) * std::tanh(gate(2));
        query[u] = sigmoid(gate(3)) * std::tanh(cell[u]);
      }
      Vector weights;
      double total = 0;
      for (const Vector& state : states) {
        double score = 0;
        for (std::size_t u = 0; u < width; ++u) score += state[u] * query[u];
        weights.push_back(std::exp(score));
        total += weights.back();
      }
      std::copy(query.begin(), query.end(), both.begin());
      for (std::size_t u = 0; u < width; ++u) {
        both[width + u] = 0;
        for (std::size_t i = 0; i < states.size(); ++i) both[width + u] += weights[i] / total * states[i][u];
      }
    }
    return both;
  }

  const Layout& layout_;
  Vector theta_;
};

}  // namespace paretofl
