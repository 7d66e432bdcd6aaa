#pragma once

namespace paretofl {

/// Which part of a published data set.
enum class DataPart { kTrain, kTest };

}  // namespace paretofl
