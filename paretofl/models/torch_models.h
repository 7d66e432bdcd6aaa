#pragma once

#include <cstddef>

#include "paretofl/models/model.h"

namespace paretofl {

/// The function that registry.cpp looks for in the library of LibTorch models: the named model with
/// heads [count]. The caller owns it. Throws Error if there is no such model or it cannot have such heads.
extern "C" Model* paretofl_make_torch_model(const char* name, const Head* heads, std::size_t count);

}  // namespace paretofl
