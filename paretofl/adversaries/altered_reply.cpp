#include "paretofl/adversaries/altered_reply.h"

#include <cmath>
#include <limits>
#include <vector>

namespace paretofl {
namespace {

bool holds_reals(const Array& array) { return array.type() == Array::Type::kFloat32 || array.type() == Array::Type::kFloat64; }

/// The array with every number replaced by what `change` makes of it.
template <class Change>
Array changed(const Array& array, const Change& change) {
  if (array.type() == Array::Type::kFloat32) {
    std::vector<float> values(array.floats().begin(), array.floats().end());
    for (float& x : values) x = static_cast<float>(change(x));
    return Array(std::span<const float>(values), array.shape());
  }
  std::vector<double> values(array.doubles().begin(), array.doubles().end());
  for (double& x : values) x = change(x);
  return Array(std::span<const double>(values), array.shape());
}

void scale_record(Record& record, double factor) {
  Array* largest = nullptr;
  for (auto& [name, array] : record.arrays) {
    if (holds_reals(array) && (largest == nullptr || array.size() > largest->size())) largest = &array;
  }
  if (largest != nullptr) *largest = changed(*largest, [&](double x) { return factor * x; });
  for (auto& [name, inner] : record.records) scale_record(inner, factor);
}

void spoil_record(Record& record) {
  const double nan = std::nan("");
  for (auto& [name, array] : record.arrays) {
    if (holds_reals(array)) array = changed(array, [&](double) { return nan; });
  }
  for (auto& [name, value] : record.scalars) value = nan;
  for (auto& [name, inner] : record.records) spoil_record(inner);
}

void repeat_record(Record& record) {
  for (auto& [name, array] : record.arrays) {
    std::vector<std::byte> bytes(array.bytes().begin(), array.bytes().end());
    bytes.insert(bytes.end(), array.bytes().begin(), array.bytes().end());
    array = Array(array.type(), {static_cast<std::int64_t>(2 * array.size())}, std::move(bytes));
  }
  for (auto& [name, inner] : record.records) repeat_record(inner);
}

template <class T>
void repeat(std::vector<T>& values) {
  const std::vector<T> once = values;
  values.insert(values.end(), once.begin(), once.end());
}

}  // namespace

void scale_numbers(Reply& reply, double factor) {
  for (float& x : reply.update) x *= static_cast<float>(factor);
  scale_record(reply.extra, factor);
}

void spoil_numbers(Reply& reply) {
  reply.update.assign(reply.update.size(), std::numeric_limits<float>::quiet_NaN());
  reply.losses.assign(reply.losses.size(), std::nan(""));
  spoil_record(reply.extra);
}

void repeat_numbers(Reply& reply) {
  repeat(reply.update);
  reply.update.push_back(0);
  repeat(reply.losses);
  repeat_record(reply.extra);
}

void leave_out_fields(Reply& reply) { reply.extra = {}; }

}  // namespace paretofl
