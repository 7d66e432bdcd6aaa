#pragma once

#include <memory>
#include <string_view>

#include "paretofl/core/registry.h"
#include "paretofl/models/model.h"

namespace paretofl {

using ModelFactory = std::unique_ptr<Model>(int num_objectives);

/// Every model by name.
const Registry<ModelFactory>& models();

/// Throws Error naming the known models where `name` is not one, and unless num_objectives >= 1.
std::unique_ptr<Model> make_model(std::string_view name, int num_objectives);

}  // namespace paretofl
