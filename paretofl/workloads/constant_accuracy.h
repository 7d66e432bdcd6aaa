#pragma once

#include <cstdint>
#include <span>

#include "paretofl/models/head.h"

namespace paretofl {

/// Accuracy on the test labels of always answering what is most frequent among the training labels: the label, or of
/// each binary attribute its value, averaged over the attributes. Throws Error without a label.
double constant_accuracy(const Head& head, std::span<const std::uint8_t> train, std::span<const std::uint8_t> test);

}  // namespace paretofl
