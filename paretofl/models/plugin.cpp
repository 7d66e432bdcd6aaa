#include "paretofl/models/plugin.h"

#include <dlfcn.h>

#include "paretofl/core/error.h"

namespace paretofl {

void* plugin_function(const char* library, const char* name) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  expect(handle != nullptr, "model: expected to load {}, found: {}", library, handle == nullptr ? ::dlerror() : "");
  void* const function = ::dlsym(handle, name);
  expect(function != nullptr, "model: expected the function {} in {}, found none", name, library);
  return function;
}

}  // namespace paretofl
