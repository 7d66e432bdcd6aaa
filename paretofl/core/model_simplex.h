#pragma once

#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/parameters.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// sum_k shares_k theta_k of the models theta_k, the rows of `vertices` [V, d], into `theta` [d]; `shares` [V]. The sum is taken in double
/// precision in the rows' order and rounded once, so that it is theta_k itself to the bit where all rows are equal or one share is 1.
void mix_models(std::span<const float> vertices, std::span<const double> shares, std::span<float> theta);

/// A model for every preference over M objectives: theta(r) = sum_k r_k theta_k lies between M models theta_k of d parameters, the
/// vertices. Strategies that train all of these at once keep them in one.
class ModelSimplex {
 public:
  /// All vertices start as `initial` [d]. `preferences` [P][M] are those at which a run evaluates the models: non-negative, each with
  /// sum 1. Throws Error unless there is at least one vertex, and every preference has one number for each.
  ModelSimplex(const Parameters& initial, std::size_t vertices, std::vector<std::vector<double>> preferences);

  std::size_t num_vertices() const { return num_vertices_; }  ///< M
  /// The vertices one after another, [M, d] as one flat buffer.
  const Parameters& vertices() const { return vertices_; }
  Parameters& vertices() { return vertices_; }
  const std::vector<std::vector<double>>& preferences() const { return preferences_; }

  /// theta(r) [d]. Throws Error unless `preference` has M numbers.
  std::vector<float> at(std::span<const double> preference) const;
  /// theta(r) [d] at the uniform preference r = (1/M, .., 1/M).
  std::vector<float> center() const;

  /// The vertices, and for readers of a checkpoint the preferences.
  Record save() const;
  /// Takes the vertices. Throws Error on another number of parameters.
  void load(const Record& state);

 private:
  std::size_t num_vertices_;
  Parameters vertices_;
  std::vector<std::vector<double>> preferences_;
};

}  // namespace paretofl
