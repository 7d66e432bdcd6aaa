#pragma once

#include <memory>

#include "paretofl/models/model.h"

namespace paretofl {

/// The LeNet of lenet_layout.h computed by LibTorch: the same layout, initial parameters and dropout masks
/// as Lenet, so that the two check each other. Throws Error unless num_objectives >= 1.
std::unique_ptr<Model> make_lenet_torch(int num_objectives);

/// The same for plugin.h; the caller owns the model.
extern "C" Model* paretofl_make_lenet_torch(int num_objectives);

}  // namespace paretofl
