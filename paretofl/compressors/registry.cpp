#include "paretofl/compressors/compressor.h"
#include "paretofl/compressors/exact.h"
#include "paretofl/compressors/randomized_svd.h"

namespace paretofl {

const Registry<std::unique_ptr<Compressor>(const Settings&)>& compressors() {
  static const Registry<std::unique_ptr<Compressor>(const Settings&)> kRegistry(
      "compressor",
      {{{"exact", "no compression", "", [](OptionVisitor&) {}}, [](const Settings&) { return std::make_unique<ExactCompressor>(); }},
       {{"randomized_svd", "low-rank sketch of the reshaped jacobian, one-way or two-way", "FedCMOO, Algorithms 3 and 6",
         described<RandomizedSvdOptions>()},
        [](const Settings& settings) {
          return std::make_unique<RandomizedSvdCompressor>(read_options<RandomizedSvdOptions>(settings, "compressor"));
        }}});
  return kRegistry;
}

std::unique_ptr<Compressor> make_compressor(const Component& component) {
  return compressors().at(component.name).make(component.settings);
}

}  // namespace paretofl
