#include "paretofl/core/model_simplex.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

Parameters copies_of(const Parameters& initial, std::size_t count) {
  expect(count >= 1, "model simplex: expected at least one vertex, found {}", count);
  std::vector<float> values;
  values.reserve(count * initial.size());
  for (std::size_t k = 0; k < count; ++k) values.insert(values.end(), initial.values().begin(), initial.values().end());
  auto layout = flat_layout("vertices", values.size());
  return {std::move(layout), std::move(values)};
}

}  // namespace

void mix_models(std::span<const float> vertices, std::span<const double> shares, std::span<float> theta) {
  for (std::size_t j = 0; j < theta.size(); ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) sum += shares[k] * double{vertices[k * theta.size() + j]};
    theta[j] = static_cast<float>(sum);
  }
}

ModelSimplex::ModelSimplex(const Parameters& initial, std::size_t vertices, std::vector<std::vector<double>> preferences)
    : num_vertices_(vertices), vertices_(copies_of(initial, vertices)), preferences_(std::move(preferences)) {
  for (const std::vector<double>& preference : preferences_) {
    expect(preference.size() == vertices, "model simplex: expected preferences over {} objectives, found one over {}", vertices,
           preference.size());
  }
}

std::vector<float> ModelSimplex::at(std::span<const double> preference) const {
  expect(preference.size() == num_vertices_, "preference: expected {} numbers, found {}", num_vertices_, preference.size());
  std::vector<float> theta(vertices_.size() / num_vertices_);
  mix_models(vertices_.values(), preference, theta);
  return theta;
}

std::vector<float> ModelSimplex::center() const { return at(std::vector<double>(num_vertices_, 1 / static_cast<double>(num_vertices_))); }

Record ModelSimplex::save() const {
  Record state;
  state.arrays.emplace("models", Array(vertices_.values()));
  std::vector<double> preferences;
  for (const std::vector<double>& preference : preferences_) preferences.insert(preferences.end(), preference.begin(), preference.end());
  state.arrays.emplace("preferences", Array(std::span<const double>(preferences)));
  return state;
}

void ModelSimplex::load(const Record& state) {
  const auto values = float_array(state, "models", vertices_.size());
  std::copy(values.begin(), values.end(), vertices_.values().begin());
}

}  // namespace paretofl
