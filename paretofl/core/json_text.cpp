#include "paretofl/core/json_text.h"

#include <algorithm>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {

namespace {

constexpr std::size_t kMaxDepth = 200;  // the library's output of a document recurses

/// How deep lists and objects are nested, for texts that are JSON.
std::size_t depth(std::string_view text) {
  std::size_t open = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\\' && quoted) ++i;
    if (quoted) continue;
    if (text[i] == '[' || text[i] == '{') deepest = std::max(deepest, ++open);
    if ((text[i] == ']' || text[i] == '}') && open > 0) --open;
  }
  return deepest;
}

template <class Json>
Json parse(std::string_view text, const std::string& name) {
  expect_shallow_json(text, name);
  try {
    return Json::parse(text);
  } catch (const typename Json::out_of_range& error) {
    const std::string_view message = error.what();  // .. '1e999'
    throw Error(fmt::format("{}: expected numbers that a double holds, found {}", name,
                            message.substr(std::min(message.find('\''), message.size()))));
  } catch (const typename Json::exception& error) {
    const std::string_view message = error.what();  // behind the library's own prefix in brackets
    throw Error(fmt::format("{}: expected JSON, found: {}", name, message.substr(message.find("] ") + 2)));
  }
}

}  // namespace

void expect_shallow_json(std::string_view text, const std::string& name) {
  const std::size_t deepest = depth(text);
  expect(deepest <= kMaxDepth, "{}: expected JSON at most {} levels deep, found {}", name, kMaxDepth, deepest);
}

nlohmann::json parse_json(std::string_view text, const std::string& name) { return parse<nlohmann::json>(text, name); }

nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& name) {
  return parse<nlohmann::ordered_json>(text, name);
}

bool says_nothing(const nlohmann::json& value) {
  const bool empty = (value.is_structured() && value.empty()) || (value.is_string() && value.get_ref<const std::string&>().empty());
  return value.is_null() || empty || (value.is_boolean() && !value.get<bool>());
}

}  // namespace paretofl
