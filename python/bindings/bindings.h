#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/registry/registry.h"
#include "paretofl/registry/settings.h"

/// What the binding files share. Each of them includes this header, so that all convert types in the same way. There is one file per room
/// of the library; the Python modules in python/paretofl/ check arguments, so that the functions here get what they declare.
namespace paretofl::python {

namespace nb = nanobind;
using namespace nb::literals;

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FloatMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DoubleMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// A NumPy array with elements of type T, as the stub file of the module says.
template <class T>
class NumpyArray : public nb::object {
 public:
  static constexpr auto Name = nb::detail::make_caster<nb::ndarray<nb::numpy, T>>::Name;

  explicit NumpyArray(nb::object array) : nb::object(std::move(array)) {}
};

/// A NumPy array of this shape that owns a copy of the values, whose count is the shape's product.
template <class T>
NumpyArray<T> copied_to_numpy(std::span<const T> values, std::vector<std::size_t> shape) {
  auto* copy = new std::vector<T>(values.begin(), values.end());
  nb::capsule owner(copy, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return NumpyArray<T>(nb::cast(nb::ndarray<nb::numpy, T>(copy->data(), shape.size(), shape.data(), owner)));
}

template <class T>
NumpyArray<T> copied_to_numpy(std::span<const T> values) {
  return copied_to_numpy(values, {values.size()});
}

inline std::span<const double> span_of(const Doubles& array) { return {array.data(), array.size()}; }

/// A dictionary of texts, numbers, lists and dictionaries as a config's settings. Throws Error on anything else.
Settings settings_of(const nb::dict& dictionary);

/// Settings as a dictionary.
nb::dict dict_of(const Settings& settings);

/// A record as a dictionary of NumPy arrays, floats, texts and dictionaries, and back. The latter throws Error on anything else.
nb::dict dict_of(const Record& record);
Record record_of(const nb::dict& dictionary);

/// A text whose bytes that are no UTF-8 become the replacement character. The caller holds the interpreter's lock.
nb::object text_to_python(std::string_view text);

/// The registry of a kind of parts, such as "solver". Throws Error on an unknown kind.
const RegistryBase& registry_of(const std::string& kind);

void bind_registries(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_rounds(nb::module_& module);
void bind_plugins(nb::module_& module);
void bind_rewards(nb::module_& module);
void bind_questions(nb::module_& module);
void bind_compressors(nb::module_& module);
void bind_aggregators(nb::module_& module);
void bind_solvers(nb::module_& module);
void bind_objectives(nb::module_& module);
void bind_kernels(nb::module_& module);
void bind_privacy(nb::module_& module);
void bind_problems(nb::module_& module);
void bind_environments(nb::module_& module);
void bind_environment_problems(nb::module_& module);
void bind_runs(nb::module_& module);
void bind_sweeps(nb::module_& module);

}  // namespace paretofl::python
