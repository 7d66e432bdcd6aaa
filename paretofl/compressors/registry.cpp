#include "paretofl/compressors/client_grams.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/compressors/exact.h"
#include "paretofl/compressors/quantizer.h"
#include "paretofl/compressors/random_mask.h"
#include "paretofl/compressors/random_projection.h"
#include "paretofl/compressors/randomized_svd.h"
#include "paretofl/compressors/top_k.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

using CompressorRegistry = Registry<std::unique_ptr<Compressor>(const Settings&)>;

/// A compressor without options.
template <class Kind>
CompressorRegistry::Entry entry(std::string name, std::string summary, std::string reference) {
  return {{std::move(name), std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [](const Settings&) { return std::make_unique<Kind>(); }};
}

template <class Kind, class Options>
CompressorRegistry::Entry entry(std::string name, std::string summary, std::string reference) {
  return {{std::move(name), std::move(summary), std::move(reference), described<Options>()},
          [](const Settings& settings) { return std::make_unique<Kind>(read_options<Options>(settings, "compressor")); }};
}

}  // namespace

CompressorRegistry& compressors() {
  static CompressorRegistry registry(
      "compressor",
      {entry<ExactCompressor>("exact", "no compression", ""),
       entry<RandomizedSvdCompressor, RandomizedSvdOptions>(
           "randomized_svd", "low-rank sketch of the reshaped jacobian, one-way or two-way", "FedCMOO, Algorithms 3 and 6"),
       entry<TopKCompressor, TopKOptions>("top_k", "the entries largest in magnitude", "FedCMOO, appendix B"),
       entry<RandomMaskCompressor, RandomMaskOptions>("random_mask", "entries at random positions, unbiased", "FedCMOO, appendix B"),
       entry<RandomProjectionCompressor, RandomProjectionOptions>("random_projection", "a linear sketch, which adds up over the clients",
                                                                  "Charikar et al. 2002"),
       entry<QuantizerCompressor, QuantizerOptions>("quantizer", "stochastic uniform quantization, unbiased",
                                                    "QSGD (Alistarh et al. 2017); FedCMOO, Assumption 5"),
       entry<ClientGramsCompressor>("client_grams", "each client's own Gramian alone", "FedCMOO, appendix B")});
  return registry;
}

std::unique_ptr<Compressor> make_compressor(const Component& component) {
  return compressors().at(component.name).make(component.settings);
}

}  // namespace paretofl
