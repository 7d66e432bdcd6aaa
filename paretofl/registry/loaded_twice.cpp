#include "paretofl/registry/loaded_twice.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

/// A structure of the file at an offset.
template <class Structure>
Structure structure_at(const fs::path& file, const std::string& bytes, std::uint64_t offset) {
  expect(offset <= bytes.size() && bytes.size() - offset >= sizeof(Structure), "{}: expected a complete ELF file, found its end at {}",
         file.string(), bytes.size());
  Structure structure;
  std::memcpy(&structure, bytes.data() + offset, sizeof(Structure));
  return structure;
}

/// The names in the file's DT_NEEDED entries: the shared libraries that it is linked with.
std::vector<std::string> linked_libraries(const fs::path& file) {
  const std::string bytes = read_file(file);
  const auto header = structure_at<ElfW(Ehdr)>(file, bytes, 0);
  const auto section = [&](std::uint64_t index) {
    return structure_at<ElfW(Shdr)>(file, bytes, header.e_shoff + index * sizeof(ElfW(Shdr)));
  };
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto dynamic = section(i);
    if (dynamic.sh_type != SHT_DYNAMIC) continue;
    const std::uint64_t texts = section(dynamic.sh_link).sh_offset;
    for (std::uint64_t at = 0; at < dynamic.sh_size; at += sizeof(ElfW(Dyn))) {
      const auto entry = structure_at<ElfW(Dyn)>(file, bytes, dynamic.sh_offset + at);
      if (entry.d_tag != DT_NEEDED) continue;
      structure_at<char>(file, bytes, texts + entry.d_un.d_val);
      names.emplace_back(bytes.data() + texts + entry.d_un.d_val);
    }
  }
  return names;
}

/// The paths of the shared libraries in this process whose file names begin with `name`.
std::vector<std::string> loaded_libraries(std::string_view name) {
  struct Search {
    std::string_view name;
    std::vector<std::string> paths;
  } search{name, {}};
  ::dl_iterate_phdr(
      [](::dl_phdr_info* library, std::size_t, void* data) {
        Search& found = *static_cast<Search*>(data);
        if (fs::path(library->dlpi_name).filename().string().starts_with(found.name)) found.paths.emplace_back(library->dlpi_name);
        return 0;
      },
      &search);
  return search.paths;
}

/// The path that the dynamic linker has loaded this library from; empty where it has not.
std::string loaded_path(const std::string& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return {};
  const ::link_map* map = nullptr;
  std::string path = ::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
  ::dlclose(handle);
  return path;
}

}  // namespace

void expect_not_loaded_twice(const fs::path& file, std::string_view name) {
  std::vector<std::string> others = loaded_libraries(name);
  if (others.empty()) return;
  std::string linked(name);
  for (const std::string& library : linked_libraries(file)) {
    if (!library.starts_with(name)) continue;
    linked = library;
    std::erase(others, loaded_path(library));
  }
  expect(
      others.empty(),
      "expected {}, which {} is linked with, as the only library of its kind in this process, found {}; run it in a process that does not "
      "load that one, such as that of the command `paretofl run CONFIG --plugin FILE.py`",
      linked, file.filename().string(), others.empty() ? "" : others.front());
}

}  // namespace paretofl
