#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "paretofl/core/array.h"

namespace paretofl {

/// A tree of named values: arrays, scalars, texts and further records. Requests and replies carry one
/// for what only some algorithms need, and every saved state is one. Names are in order, so equal
/// records have equal bytes. The getters throw Error where the name is absent.
struct Record {
  std::map<std::string, Array, std::less<>> arrays;
  std::map<std::string, double, std::less<>> scalars;
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, Record, std::less<>> records;

  const Array& array(std::string_view name) const;
  double scalar(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const Record& record(std::string_view name) const;
  bool empty() const { return arrays.empty() && scalars.empty() && texts.empty() && records.empty(); }

  bool operator==(const Record&) const = default;
};

/// The named array's values; throws Error unless there are `count` of them.
std::span<const float> float_array(const Record& record, std::string_view name, std::size_t count);
std::span<const double> double_array(const Record& record, std::string_view name, std::size_t count);

}  // namespace paretofl
