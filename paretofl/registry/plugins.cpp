#include "paretofl/registry/plugins.h"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/core/sha256.h"
#include "paretofl/files/input_file.h"
#include "paretofl/registry/plugin_interface.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& loaded() {
  static std::vector<fs::path> files;
  return files;
}

/// What is loaded under a file name; null where nothing is.
const fs::path* loaded_as(const fs::path& name) {
  const auto found = std::find_if(loaded().begin(), loaded().end(), [&](const fs::path& file) { return file.filename() == name; });
  return found == loaded().end() ? nullptr : &*found;
}

Texts& digests() {
  static Texts by_name;
  return by_name;
}

std::map<std::string, std::function<void(const fs::path&)>>& loaders() {
  static std::map<std::string, std::function<void(const fs::path&)>> by_extension;
  return by_extension;
}

/// The loader maps what a library's header says, and a process that reads behind the end of a file is killed.
void expect_whole(const fs::path& file, std::string_view content) {
  Elf64_Ehdr header;
  if (content.size() < sizeof(header) || std::memcmp(content.data(), ELFMAG, SELFMAG) != 0) return;  // the loader says what it is
  std::memcpy(&header, content.data(), sizeof(header));
  const auto expect_bytes = [&](std::uint64_t begin, std::uint64_t size) {
    expect(begin <= content.size() && size <= content.size() - begin,
           "plugin {}: expected the whole of a shared library, found its first {} bytes, of which it needs those from {} to {}",
           file.string(), content.size(), begin, begin + size);
  };
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const std::uint64_t begin = header.e_phoff + i * sizeof(segment);
    expect_bytes(begin, sizeof(segment));
    std::memcpy(&segment, content.data() + begin, sizeof(segment));
    if (segment.p_type == PT_LOAD) expect_bytes(segment.p_offset, segment.p_filesz);
  }
}

const Plugin& open_plugin(const fs::path& file) {
  void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  expect(handle != nullptr, "plugin {}: expected a shared library that can be loaded, found: {}", file.string(),
         handle == nullptr ? ::dlerror() : "");
  void* function = ::dlsym(handle, kPluginFunction);
  expect(function != nullptr, "plugin {}: expected a library with PARETOFL_PLUGIN, found no function {} in it", file.string(),
         kPluginFunction);
  const Plugin* plugin = reinterpret_cast<const Plugin* (*)()>(function)();
  expect(plugin != nullptr && plugin->abi != nullptr, "plugin {}: expected {} to return a plugin, found none", file.string(),
         kPluginFunction);
  const std::string_view abi = plugin->abi;
  expect(abi == PARETOFL_PLUGIN_ABI, "plugin {}: expected it to be built for {}; found {}", file.string(), PARETOFL_PLUGIN_ABI, abi);
  expect(plugin->add_parts != nullptr, "plugin {}: expected {} to return a function that adds parts, found none", file.string(),
         kPluginFunction);
  return *plugin;
}

}  // namespace

void load_plugin(const fs::path& file) {
  std::error_code error;
  expect(fs::is_regular_file(file, error), "plugin {}: expected a shared library, found no such file", file.string());
  const fs::path path = fs::canonical(file, error);
  expect(!error, "plugin {}: expected to find the file, found: {}", file.string(), error.message());
  if (const fs::path* other = loaded_as(path.filename())) {
    expect(*other == path, "plugin {}: expected plugins of different file names, found {} loaded before", path.string(), other->string());
    return;
  }
  const std::string content = read_file(path);
  std::function<void()> add_parts;
  if (const auto loader = loaders().find(path.extension()); loader != loaders().end()) {
    add_parts = [&load = loader->second, &path] { load(path); };
  } else {
    expect(path.extension() != ".py",
           "plugin {}: expected a shared library, found a Python file, which only the command of the Python package loads", path.string());
    expect_whole(path, content);
    add_parts = [&plugin = open_plugin(path), parts = PluginParts(path.string())]() mutable { plugin.add_parts(parts); };
  }
  std::string failure;
  try {
    add_parts();
  } catch (const std::exception& exception) {
    failure = exception.what();
  } catch (...) {
    failure = "an exception that is no std::exception";
  }
  expect(failure.empty(), "plugin {}: expected it to add its parts, found: {}", path.string(), failure);
  loaded().push_back(path);
  digests()[path.filename().string()] = sha256_hex(std::as_bytes(std::span(content)));
}

void load_plugins(std::string_view files) {
  while (!files.empty()) {
    const std::size_t end = std::min(files.find(':'), files.size());
    if (end > 0) load_plugin(files.substr(0, end));
    files.remove_prefix(std::min(end + 1, files.size()));
  }
}

void set_plugin_loader(const std::string& extension, std::function<void(const fs::path&)> load) { loaders()[extension] = std::move(load); }

const std::vector<fs::path>& loaded_plugins() { return loaded(); }

const Texts& plugin_digests() { return digests(); }

void expect_plugins(std::string_view who, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    expect(loaded_as(name) != nullptr, "{}: expected the plugin {} to be loaded, by --plugin FILE or PARETOFL_PLUGINS; found it missing",
           who, name);
  }
}

}  // namespace paretofl
