#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/models/model.h"

namespace paretofl {

/// A model by name from a library that is loaded on the first call and stays loaded: LibTorch costs a third
/// of a second and 100 MiB at start-up, which commands that don't need it shouldn't pay. `library` is a file
/// beside libparetofl.so with the function of torch_models.h. Throws Error where there is no such library or
/// function, or no such model in it. Thread-safe.
std::unique_ptr<Model> make_from_plugin(const char* library, const std::string& name, const std::vector<Head>& heads);

}  // namespace paretofl
