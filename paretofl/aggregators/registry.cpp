#include "paretofl/aggregators/aggregator.h"
#include "paretofl/aggregators/coordinate_median.h"
#include "paretofl/aggregators/geometric_median.h"
#include "paretofl/aggregators/multi_krum.h"
#include "paretofl/aggregators/norm_clipping.h"
#include "paretofl/aggregators/trimmed_mean.h"
#include "paretofl/aggregators/weighted_mean.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

using AggregatorRegistry = Registry<std::unique_ptr<Aggregator>(const Settings&)>;

/// An aggregator without options.
template <class Kind>
AggregatorRegistry::Entry aggregator_entry(std::string name, std::string summary, std::string reference) {
  return {{std::move(name), std::move(summary), std::move(reference), [](OptionVisitor&) {}}, [](const Settings& settings) {
            OptionReader(settings, "aggregator").finish();
            return std::make_unique<Kind>();
          }};
}

template <class Kind, class Options>
AggregatorRegistry::Entry aggregator_entry(std::string name, std::string summary, std::string reference) {
  return {{std::move(name), std::move(summary), std::move(reference), described<Options>()},
          [](const Settings& settings) { return std::make_unique<Kind>(read_options<Options>(settings, "aggregator")); }};
}

}  // namespace

AggregatorRegistry& aggregators() {
  static AggregatorRegistry registry(
      "aggregator",
      {aggregator_entry<WeightedMean>("mean", "the weighted mean, summed as updates arrive", "McMahan et al. 2017"),
       aggregator_entry<CoordinateMedian>("coordinate_median", "the median of each coordinate", "Yin et al. 2018, Definition 1"),
       aggregator_entry<TrimmedMean, TrimmedMeanOptions>("trimmed_mean", "the mean of each coordinate without its extremes",
                                                         "Yin et al. 2018, Definition 2"),
       aggregator_entry<GeometricMedian, GeometricMedianOptions>(
           "geometric_median", "the point with the smallest sum of distances, by smoothed Weiszfeld steps", "Pillutla et al. 2022"),
       aggregator_entry<MultiKrum, MultiKrumOptions>("multi_krum", "the mean of the clients that are nearest to others",
                                                     "Blanchard et al. 2017"),
       aggregator_entry<NormClipping, NormClippingOptions>("norm_clipping", "the weighted mean of vectors of bounded norm",
                                                           "Sun et al. 2019")});
  return registry;
}

std::unique_ptr<Aggregator> make_aggregator(const Component& component) {
  return aggregators().at(component.name).make(component.settings);
}

}  // namespace paretofl
