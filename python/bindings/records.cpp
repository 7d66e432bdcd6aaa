#include "paretofl/core/error.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

constexpr int kMaxDepth = 16;

nb::object numpy_of(const Array& array) {
  const std::vector<std::size_t> shape(array.shape().begin(), array.shape().end());
  switch (array.type()) {
    case Array::Type::kFloat32:
      return copied_to_numpy(array.floats(), shape);
    case Array::Type::kFloat64:
      return copied_to_numpy(array.doubles(), shape);
    case Array::Type::kInt64:
      return copied_to_numpy(array.ints(), shape);
    case Array::Type::kUint8:
      break;
  }
  return copied_to_numpy(array.uints(), shape);
}

template <class T>
bool take_array(nb::handle value, Record& record, const std::string& name) {
  nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
  if (!nb::try_cast(value, array, false)) return false;
  std::vector<std::int64_t> shape;
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) shape.push_back(static_cast<std::int64_t>(array.shape(axis)));
  record.arrays.insert_or_assign(name, Array(std::span<const T>(array.data(), array.size()), shape));
  return true;
}

Record record_of(const nb::dict& dictionary, int depth) {
  expect(depth < kMaxDepth, "state: expected dictionaries within each other to a depth of {}, found more", kMaxDepth);
  Record record;
  for (const auto& [key, value] : dictionary) {
    expect(nb::isinstance<nb::str>(key), "state: expected keys of type str, found {}", nb::cast<std::string>(nb::repr(key)));
    const auto name = nb::cast<std::string>(key);
    if (nb::isinstance<nb::dict>(value)) {
      record.records.emplace(name, record_of(nb::borrow<nb::dict>(value), depth + 1));
    } else if (nb::isinstance<nb::str>(value)) {
      record.texts.emplace(name, nb::cast<std::string>(value));
    } else if (PyFloat_Check(value.ptr()) != 0) {
      record.scalars.emplace(name, nb::cast<double>(value));
    } else {
      const bool taken = take_array<float>(value, record, name) || take_array<double>(value, record, name) ||
                         take_array<std::int64_t>(value, record, name) || take_array<std::uint8_t>(value, record, name);
      expect(taken, "state: expected an array of float32, float64, int64 or uint8, a float, a str or a dict for {}, found {}", name,
             nb::cast<std::string>(value.type().attr("__name__")));
    }
  }
  return record;
}

}  // namespace

nb::dict dict_of(const Record& record) {
  nb::dict result;
  for (const auto& [name, array] : record.arrays) result[name.c_str()] = numpy_of(array);
  for (const auto& [name, scalar] : record.scalars) result[name.c_str()] = scalar;
  for (const auto& [name, text] : record.texts) result[name.c_str()] = text;
  for (const auto& [name, inner] : record.records) result[name.c_str()] = dict_of(inner);
  return result;
}

Record record_of(const nb::dict& dictionary) { return record_of(dictionary, 0); }

}  // namespace paretofl::python
