#pragma once

#include <string>
#include <vector>

namespace paretofl {

/// What a message adds about a column that is not among those of a file, beginning with "; ": the option workload.separator that takes the
/// file's only column apart, or else a name that is near, or else the first columns.
std::string missing_column_hint(const std::string& name, const std::vector<std::string>& columns);

}  // namespace paretofl
