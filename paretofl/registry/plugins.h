#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/texts.h"

namespace paretofl {

/// Loads a shared library with parts of a user's own (plugin_interface.h), which stays loaded, and adds them to their
/// registries. A file that is loaded already is left as it is. Not thread-safe: plugins are loaded before a run starts. Throws Error
/// on what is no file, no whole library or no plugin, on one that was built for another library or in another way, on one whose file name
/// another one has, and where its function throws or adds a name that is taken.
void load_plugin(const std::filesystem::path& file);

/// Loads each file of a list with colons between them, as PARETOFL_PLUGINS holds it; empty names are passed over.
void load_plugins(std::string_view files);

/// Makes load_plugin pass files of this extension, such as ".py", to `load`, which adds their parts to the registries and throws where it
/// fails. Not thread-safe.
void set_plugin_loader(const std::string& extension, std::function<void(const std::filesystem::path&)> load);

/// The files that are loaded, as absolute paths, in the order of their loading.
const std::vector<std::filesystem::path>& loaded_plugins();

/// The SHA-256, in hexadecimal, of each file that is loaded, by file name: of its content when it was loaded.
const Texts& plugin_digests();

/// Throws Error, begun by `who`, unless a plugin of each of these file names is loaded.
void expect_plugins(std::string_view who, const std::vector<std::string>& names);

}  // namespace paretofl
