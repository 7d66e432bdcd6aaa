#pragma once

#include <filesystem>
#include <string>

#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// The secret in a file, for its owner alone, which is drawn once from the operating system's generator if there is none yet. Throws Error,
/// beginning with `what`, on a file of another size.
Secret secret_in(const std::string& what, const std::filesystem::path& file);

}  // namespace paretofl
