#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paretofl {

/// Whether a file's content begins as a gzip stream does.
bool is_gzip(std::string_view content);

/// The text of a gzip file, which may have several members. Throws Error, calling the file `name`, where a member is damaged or cut
/// off, where anything but zeros stands behind the last one, as where the beginning of another is damaged, and beyond `most` bytes.
std::string gunzipped(std::string_view content, const std::string& name, std::size_t most);

}  // namespace paretofl
