#pragma once

namespace paretofl {

/// The library of all that LibTorch computes, a file beside libparetofl.so.
inline constexpr const char* kTorchLibrary = "libparetofl_torch.so";

/// A function, by its unmangled name, of a library that is loaded on the first call and stays loaded: LibTorch costs a
/// third of a second and 100 MiB at start-up, which commands that don't need it shouldn't pay. The caller knows its type.
/// Throws Error where there is no such library or function. Thread-safe.
void* plugin_function(const char* library, const char* name);

}  // namespace paretofl
