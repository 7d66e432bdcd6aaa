#include "paretofl/core/error.h"
#include "paretofl/kernels/max_pool.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

using Images = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Pooled = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<std::int64_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

// Arrays [count, height, width, channels], and [count, height / 2, width / 2, channels].
void pool_by_two(const Images& input, const Pooled& output, const Indices& indices) {
  const std::size_t count = input.shape(0);
  const std::size_t height = input.shape(1);
  const std::size_t width = input.shape(2);
  const std::size_t channels = input.shape(3);
  const std::size_t pooled = count * (height / 2) * (width / 2) * channels;
  expect(output.size() == pooled && indices.size() == pooled, "max_pool_by_two: expected room for {} numbers, found {} and {}", pooled,
         output.size(), indices.size());
  const nb::gil_scoped_release released;
  max_pool_by_two(count, height, width, channels, input.data(), output.data(), indices.data());
}

}  // namespace

void bind_kernels(nb::module_& module) { module.def("max_pool_by_two", &pool_by_two, "input"_a, "output"_a, "indices"_a); }

}  // namespace paretofl::python
