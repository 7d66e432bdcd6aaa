# Writes OUTPUT, a C++ file with the git commit of the folder SOURCE, where it is not the same already.
# Usage: cmake -DSOURCE=.. -DVERSION=.. -DOUTPUT=.. -P commit.cmake
set(COMMIT "")
find_program(GIT git)
if(GIT)
  # Of SOURCE's own repository, not of one around it. Without the lock that would get in the way of another git.
  set(ENV{GIT_OPTIONAL_LOCKS} 0)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-prefix OUTPUT_VARIABLE PREFIX RESULT_VARIABLE FAILED
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT FAILED AND PREFIX STREQUAL "")
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=40 --exclude=* OUTPUT_VARIABLE COMMIT
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(TEXT "#include \"paretofl/core/build_facts.h\"
#include \"paretofl/core/version.h\"

namespace paretofl {

static_assert(std::string_view(PARETOFL_VERSION) == \"${VERSION}\", \"expected one version in CMakeLists.txt and version.h\");

std::string_view built_commit() { return \"${COMMIT}\"; }

}  // namespace paretofl
")
set(BEFORE "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} BEFORE)
endif()
if(NOT TEXT STREQUAL BEFORE)
  file(WRITE ${OUTPUT} "${TEXT}")
endif()
