#pragma once

#include <memory>

#include "paretofl/models/model.h"

namespace paretofl {

/// A model from a library that is loaded on the first call and stays loaded: LibTorch costs a third of a
/// second and 100 MiB at start-up, which commands that don't need it shouldn't pay. `library` is a file
/// beside libparetofl.so; `factory` is an extern "C" function Model*(int num_objectives) in it. Throws
/// Error where there is no such library or function. Thread-safe.
std::unique_ptr<Model> make_from_plugin(const char* library, const char* factory, int num_objectives);

}  // namespace paretofl
