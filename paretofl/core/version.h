#pragma once

/// The version of the library and of the command. The build checks that CMakeLists.txt names the same.
#define PARETOFL_VERSION "0.1.0"
