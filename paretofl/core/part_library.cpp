#include "paretofl/core/part_library.h"

#include <dlfcn.h>

#include "paretofl/core/error.h"

namespace paretofl {

void* library_function(const PartLibrary& library, const char* name) {
  void* const handle = ::dlopen(library.file, RTLD_NOW | RTLD_GLOBAL);
  expect(handle != nullptr,
         "expected {}, which holds what needs {}, found: {}; builds from source have it with -D{}=ON (`make build`), Debian packages in {}",
         library.file, library.dependency, handle == nullptr ? ::dlerror() : "", library.option, library.package);
  void* const function = ::dlsym(handle, name);
  expect(function != nullptr, "expected the function {} in {}, found none", name, library.file);
  return function;
}

}  // namespace paretofl
