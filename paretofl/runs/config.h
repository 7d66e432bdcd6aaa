#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "paretofl/core/texts.h"
#include "paretofl/registry/settings.h"

namespace paretofl {

/// Reads a TOML file. Throws Error with file, line and column on what isn't TOML or has no place in
/// Settings (dates, mixed lists).
Settings load_config(const std::filesystem::path& path);
Settings parse_config(std::string_view toml, const std::string& name);

/// A key's value as TOML would read it; what isn't a TOML value is a text, so that names need no quotes. Throws Error on
/// what no TOML file can hold, such as text that is not UTF-8.
Settings::Value parse_value(std::string_view text, const std::string& key);

/// Applies "a.b.c=value" (--set). Where a.b is a text, such as a part chosen by name alone, it becomes a
/// table of that name. Throws Error where there is no "=" or the key is empty, and where the key is a section that holds more
/// than its name, which "strategy=fedavg" would drop.
void apply_override(Settings& settings, std::string_view assignment);

/// Applies several, the keys with fewer parts first and otherwise in order: naming a part resets its options, so that a part is
/// named before its options are set, however they were given. Throws Error like apply_override.
void apply_overrides(Settings& settings, std::vector<std::string> assignments);

/// Every value by its full key, such as strategy.name: texts as they are, all else in TOML's notation.
Texts flat_texts(const Settings& settings);

/// TOML that load_config reads back to equal settings.
std::string to_toml(const Settings& settings);

}  // namespace paretofl
