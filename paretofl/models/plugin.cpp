#include "paretofl/models/plugin.h"

#include <dlfcn.h>

#include "paretofl/core/error.h"

namespace paretofl {

std::unique_ptr<Model> make_from_plugin(const char* library, const char* factory, int num_objectives) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  expect(handle != nullptr, "model: expected to load {}, found: {}", library, handle == nullptr ? ::dlerror() : "");
  auto* const make = reinterpret_cast<Model* (*)(int)>(::dlsym(handle, factory));
  expect(make != nullptr, "model: expected the function {} in {}, found none", factory, library);
  return std::unique_ptr<Model>(make(num_objectives));
}

}  // namespace paretofl
