#pragma once

#include <string_view>
#include <vector>

namespace paretofl {

/// Keys of a published config.json of that model type that change no number this engine computes, whatever their value:
/// where a checkpoint comes from, dropout, how the reference library runs it, its defaults for sampling, and parts of a
/// family that neither language models nor classifiers of one output have.
std::vector<std::string_view> harmless_config_keys(std::string_view model_type);

}  // namespace paretofl
