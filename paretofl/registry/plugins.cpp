#include "paretofl/registry/plugins.h"

#include <dlfcn.h>

#include <algorithm>
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

std::map<std::string, std::function<void(const fs::path&)>>& loaders() {
  static std::map<std::string, std::function<void(const fs::path&)>> by_extension;
  return by_extension;
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
  std::function<void()> add_parts;
  if (const auto loader = loaders().find(path.extension()); loader != loaders().end()) {
    add_parts = [&load = loader->second, &path] { load(path); };
  } else {
    expect(path.extension() != ".py",
           "plugin {}: expected a shared library, found a Python file, which only the command of the Python package loads", path.string());
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

Texts plugin_digests() {
  Texts digests;
  for (const fs::path& file : loaded()) {
    const std::string content = read_file(file);
    digests[file.filename().string()] = sha256_hex(std::as_bytes(std::span(content)));
  }
  return digests;
}

void expect_plugins(std::string_view who, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    expect(loaded_as(name) != nullptr, "{}: expected the plugin {} to be loaded, by --plugin FILE or PARETOFL_PLUGINS; found it missing",
           who, name);
  }
}

}  // namespace paretofl
