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

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& name) {
  const std::size_t deepest = depth(text);
  expect(deepest <= kMaxDepth, "{}: expected JSON at most {} levels deep, found {}", name, kMaxDepth, deepest);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    const std::string_view message = error.what();  // behind the library's own prefix in brackets
    throw Error(fmt::format("{}: expected JSON, found: {}", name, message.substr(message.find("] ") + 2)));
  }
}

}  // namespace paretofl
