#pragma once

#include <string_view>

namespace paretofl {

/// What stands behind a key of an object, as it is written there, without the white space around it: "0.10" of {"a": 0.10}. `object` is the
/// text of a JSON object, as parse_json has accepted it. Where a key comes twice, the last one counts, as for parse_json; empty without
/// the key.
std::string_view json_member(std::string_view object, std::string_view key);

}  // namespace paretofl
