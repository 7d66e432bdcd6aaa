#include "paretofl/models/head.h"

namespace paretofl {

std::string_view to_text(Loss loss) {
  switch (loss) {
    case Loss::kNll:
      return "nll";
    case Loss::kL2:
      return "l2";
    case Loss::kBinary:
      return "binary";
    case Loss::kSquaredError:
      return "squared_error";
    case Loss::kAbsoluteError:
      return "absolute_error";
    case Loss::kQuantile:
      return "quantile";
  }
  return "";
}

}  // namespace paretofl
