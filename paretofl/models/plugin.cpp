#include "paretofl/models/plugin.h"

#include <dlfcn.h>

#include "paretofl/core/error.h"
#include "paretofl/models/torch_models.h"

namespace paretofl {

std::unique_ptr<Model> make_from_plugin(const char* library, const std::string& name, const std::vector<Head>& heads) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  expect(handle != nullptr, "model: expected to load {}, found: {}", library, handle == nullptr ? ::dlerror() : "");
  constexpr const char* kFactory = "paretofl_make_torch_model";
  auto* const make = reinterpret_cast<decltype(&paretofl_make_torch_model)>(::dlsym(handle, kFactory));
  expect(make != nullptr, "model: expected the function {} in {}, found none", kFactory, library);
  return std::unique_ptr<Model>(make(name.c_str(), heads.data(), heads.size()));
}

}  // namespace paretofl
