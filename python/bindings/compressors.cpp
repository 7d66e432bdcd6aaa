#include "paretofl/compressors/compressor.h"

#include "paretofl/wire/record_codec.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

/// What a compressor made of one jacobian [M, d], with the compressor that can rebuild it.
class Sketch {
 public:
  Sketch(const std::string& name, const nb::dict& options, const FloatMatrix& jacobian, std::uint64_t seed)
      : compressor_(make_compressor({name, settings_of(options)})), objectives_(jacobian.shape(0)), dimension_(jacobian.shape(1)) {
    record_ = compressor_->compress({jacobian.data(), jacobian.size()}, objectives_, Random({.seed = seed}, "compress"));
  }

  NumpyArray<float> reconstruct() const {
    std::vector<float> jacobian(objectives_ * dimension_);
    compressor_->reconstruct(record_, objectives_, jacobian);
    return copied_to_numpy(std::span<const float>(jacobian), {objectives_, dimension_});
  }

  /// What the wire format takes.
  std::size_t num_bytes() const {
    ByteWriter counter;
    write_record(counter, record_);
    return counter.size();
  }

  const Record& record() const { return record_; }

 private:
  std::unique_ptr<Compressor> compressor_;
  std::size_t objectives_;
  std::size_t dimension_;
  Record record_;
};

}  // namespace

void bind_compressors(nb::module_& module) {
  nb::class_<Sketch>(module, "Sketch")
      .def(nb::init<const std::string&, const nb::dict&, const FloatMatrix&, std::uint64_t>(), "name"_a, "options"_a, "jacobian"_a,
           "seed"_a)
      .def("reconstruct", &Sketch::reconstruct)
      .def("num_bytes", &Sketch::num_bytes)
      .def("arrays", [](const Sketch& sketch) { return dict_of(sketch.record()); });
}

}  // namespace paretofl::python
