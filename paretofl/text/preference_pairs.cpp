#include "paretofl/text/preference_pairs.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

PreferencePair split_dialogues(const std::string& chosen, const std::string& rejected, const std::string& where) {
  constexpr std::string_view kTurn = "\n\nAssistant:";
  const auto differ = std::mismatch(chosen.begin(), chosen.end(), rejected.begin(), rejected.end()).first;
  const auto common = std::string_view(chosen).substr(0, static_cast<std::size_t>(differ - chosen.begin()));
  const std::size_t turn = common.rfind(kTurn);
  expect(turn != std::string_view::npos, "{}: expected dialogues that share a prompt up to a turn of the assistant, found '{}' and '{}'",
         where, shown(chosen), shown(rejected));
  const std::size_t size = turn + kTurn.size();
  return {chosen.substr(0, size), chosen.substr(size), rejected.substr(size)};
}

std::vector<PreferencePair> parse_preference_pairs(std::string_view text, std::string_view name) {
  std::vector<PreferencePair> pairs;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const std::string where = fmt::format("{}:{}", name, number);
    const nlohmann::json json = parse_json(std::string(line), where);
    const JsonObject object(json, where);
    expect(!object.has("prompt") || object.text("chosen").starts_with(object.text("prompt")),
           "{}: expected dialogues, chosen and rejected, that begin with the prompt, found it apart from them", where);
    pairs.push_back(split_dialogues(object.text("chosen"), object.text("rejected"), where));
  });
  expect(!pairs.empty(), "{}: expected pairs of dialogues, found none", name);
  return pairs;
}

std::vector<PreferencePair> read_preference_pairs(const std::filesystem::path& file) {
  return parse_preference_pairs(read_text(file), file.string());
}

}  // namespace paretofl
