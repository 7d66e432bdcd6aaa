#include "paretofl/workloads/constant_accuracy.h"

#include <algorithm>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::vector<double> frequencies(const Head& head, std::span<const std::uint8_t> labels) {
  std::vector<double> counts(head.label_values());
  for (const std::uint8_t label : labels) counts[label] += 1 / static_cast<double>(labels.size());
  return counts;
}

// Frequency of a bit among labels with these frequencies.
double bit_frequency(const std::vector<double>& of_labels, std::size_t bit) {
  double sum = 0;
  for (std::size_t label = 0; label < of_labels.size(); ++label) sum += (label >> bit & 1U) != 0 ? of_labels[label] : 0;
  return sum;
}

}  // namespace

double constant_accuracy(const Head& head, std::span<const std::uint8_t> train, std::span<const std::uint8_t> test) {
  expect(!train.empty() && !test.empty(), "constant_accuracy: expected training and test labels, found {} and {}", train.size(),
         test.size());
  const std::vector<double> learned = frequencies(head, train);
  const std::vector<double> seen = frequencies(head, test);
  if (head.loss != Loss::kBinary) return seen[static_cast<std::size_t>(std::max_element(learned.begin(), learned.end()) - learned.begin())];
  double sum = 0;
  for (std::size_t bit = 0; bit < head.outputs; ++bit) {
    sum += bit_frequency(learned, bit) > 0.5 ? bit_frequency(seen, bit) : 1 - bit_frequency(seen, bit);
  }
  return sum / static_cast<double>(head.outputs);
}

}  // namespace paretofl
