#include "paretofl/registry/part_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "paretofl/core/error.h"
#include "paretofl/registry/loaded_twice.h"

namespace paretofl {

namespace {

/// The folder of the library that holds this very function, or the one that holds glibc-hwcaps/LEVEL, where the library for processors of
/// that level lies alone.
std::filesystem::path own_folder() {
  ::Dl_info own{};
  const bool found = ::dladdr(reinterpret_cast<const void*>(&own_folder), &own) != 0;
  expect(found && own.dli_fname != nullptr, "expected the path of libparetofl.so from the dynamic linker, found none");
  const std::filesystem::path folder = std::filesystem::path(own.dli_fname).parent_path();
  return folder.parent_path().filename() == "glibc-hwcaps" ? folder.parent_path().parent_path() : folder;
}

}  // namespace

void* library_function(const PartLibrary& library, const char* name) {
  // A path, since the linker searches for a plain name by the rules of whoever calls dlopen, which under a sanitizer is not this library.
  const std::string path = own_folder() / library.file;
  if (std::error_code unknown; library.only != nullptr && std::filesystem::exists(path, unknown))
    expect_not_loaded_twice(path, library.only);
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  expect(handle != nullptr,
         "expected {}, which holds what needs {}, found: {}; builds from source have it with -D{}=ON (`make build`), Debian packages in {}",
         library.file, library.dependency, handle == nullptr ? ::dlerror() : "", library.option, library.package);
  void* const function = ::dlsym(handle, name);
  expect(function != nullptr, "expected the function {} in {}, found none", name, library.file);
  return function;
}

}  // namespace paretofl
