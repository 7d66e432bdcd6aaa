#pragma once

#include <functional>

#include "paretofl/registry/option_reader.h"

namespace paretofl {

/// The documentation of options with other defaults.
template <class Options>
std::function<void(OptionVisitor&)> described_as(const Options& defaults) {
  return [defaults](OptionVisitor& visit) {
    Options options = defaults;
    options.describe(visit);
  };
}

/// Options of a config over other defaults.
template <class Options>
Options read_over(Options options, const Settings& settings) {
  OptionReader reader(settings, "workload");
  options.describe(reader);
  reader.finish();
  return options;
}

}  // namespace paretofl
