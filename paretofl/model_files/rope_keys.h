#pragma once

#include <nlohmann/json.hpp>

#include "paretofl/model_files/config_keys.h"
#include "paretofl/model_files/language_model_config.h"

namespace paretofl {

/// Reads rope_theta, rope_scaling and rope_parameters into a decoder's config, whose head_dim and max_position_embeddings are known. The
/// reference library calls the object rope_parameters from version 5 on, with theta among its keys; an older rope_scaling that is there
/// too counts in all its versions. Gemma 3 has one object per kind of layers there, or rope_local_base_freq beside rope_theta. `theta` is
/// the family's default. Throws Error naming the key on a kind that is not built, on one that is not the kind's, and on an impossible
/// value. Of Phi-3 also partial_rotary_factor and a longrope, which no other family has.
void read_rope(const ConfigKeys& keys, double theta, LanguageModelConfig& config);

/// Adds the keys that read_rope reads to `keys`, in the form that all versions of the reference library understand.
void write_rope(const LanguageModelConfig& config, nlohmann::json& keys);

}  // namespace paretofl
