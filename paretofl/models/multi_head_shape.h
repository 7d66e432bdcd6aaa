#pragma once

#include <memory>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/models/head.h"

namespace paretofl {

/// A fully connected network for inputs without structure: hidden layers that all objectives share, each followed by the activation, and
/// a linear head per objective. Without a hidden layer it is a linear model of each objective.
struct MultiHeadShape {
  enum class Activation { kRelu, kTanh };

  std::size_t inputs = 1;
  std::vector<std::size_t> hidden;  ///< widths
  Activation activation = Activation::kRelu;

  std::size_t features() const { return hidden.empty() ? inputs : hidden.back(); }  ///< inputs of a head
};

/// Slices body.<layer>.{weight,bias}, then of every objective head<k>.{weight,bias}. Without a hidden layer all slices count as shared,
/// so that strategies that look at the shared part alone have one. Throws Error for widths of 0, for more than 2^40 parameters, and for
/// heads other than: with targets, of one output and a level between 0 and 1; kNll of 2 to 256 outputs; kBinary of one.
std::shared_ptr<const Layout> multi_head_layout(const MultiHeadShape& shape, const std::vector<Head>& heads);

}  // namespace paretofl
