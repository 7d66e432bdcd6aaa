#pragma once

namespace paretofl {

/// A library of the project that holds parts with a large dependency. It is loaded on first use and stays loaded, so that
/// commands that don't need it start fast, and may be left out of a build or an installation.
struct PartLibrary {
  const char* file;            ///< looked for beside libparetofl.so
  const char* dependency;      ///< what it is linked with, for messages
  const char* option;          ///< the CMake option that builds it
  const char* package;         ///< the Debian package that contains it
  const char* only = nullptr;  ///< how the file name of a library of the dependency begins of which a process must not load two
};

/// A function of the library, by its unmangled name. The caller knows its type.
/// Throws Error where the library or the function is missing, and where another library of the kind `only` is loaded. Thread-safe.
void* library_function(const PartLibrary& library, const char* name);

}  // namespace paretofl
