#include "paretofl/core/record.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

template <class Map>
const typename Map::mapped_type& find(const Map& map, std::string_view kind, std::string_view name) {
  const auto found = map.find(name);
  expect(found != map.end(), "record: expected {} '{}', found none of that name", kind, name);
  return found->second;
}

template <class Span>
Span sized(Span values, std::string_view name, std::size_t count) {
  expect(values.size() == count, "record: expected {} numbers in '{}', found {}", count, name, values.size());
  return values;
}

}  // namespace

const Array& Record::array(std::string_view name) const { return find(arrays, "array", name); }
double Record::scalar(std::string_view name) const { return find(scalars, "scalar", name); }
const std::string& Record::text(std::string_view name) const { return find(texts, "text", name); }
const Record& Record::record(std::string_view name) const { return find(records, "record", name); }

std::span<const float> float_array(const Record& record, std::string_view name, std::size_t count) {
  return sized(record.array(name).floats(), name, count);
}

std::span<const double> double_array(const Record& record, std::string_view name, std::size_t count) {
  return sized(record.array(name).doubles(), name, count);
}

}  // namespace paretofl
