#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// The git commit that was built, with "-dirty" where tracked files differed from it; empty where git knew none. It stands in a
/// generated file of its own, so that a new commit compiles no other file again.
std::string_view built_commit();

/// The compiler of the library, such as "GCC 12.2.0".
std::string_view built_by();

/// The instruction sets on which the bits of results depend that the library was built for, such as "AVX2, FMA"; "the basic ones" if none.
std::string_view built_for();

/// Both in one line: results of two builds with the same have the same bits.
std::string build_text();

/// The version and the commit, as --version prints them: "0.1.0 (commit 1a2b3c)", or the version alone.
std::string version_text();

/// The model name of this machine's processor as the system gives it, or its architecture where it gives none.
std::string processor_name();

}  // namespace paretofl
