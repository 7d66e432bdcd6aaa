#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "paretofl/models/model.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

using ModelFactory = std::unique_ptr<Model>(const std::vector<Head>& heads);

/// Every model by name.
Registry<ModelFactory>& models();

/// A model with one head per objective. Throws Error naming the known models if `name` is not one, without
/// any head, and where the model cannot have such heads.
std::unique_ptr<Model> make_model(std::string_view name, const std::vector<Head>& heads);

}  // namespace paretofl
