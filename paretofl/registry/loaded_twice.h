#pragma once

#include <filesystem>
#include <string_view>

namespace paretofl {

/// Throws Error where this process has loaded a shared library whose file name begins with `name`, such as "libtorch_cpu.so", and which is
/// not the one that `file`, a shared library too, is linked with. Loading `file` would then load another. Where `file` is not linked with
/// one of that name, every one of them is an Error. Thread-safe.
void expect_not_loaded_twice(const std::filesystem::path& file, std::string_view name);

}  // namespace paretofl
