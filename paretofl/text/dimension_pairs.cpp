#include "paretofl/text/dimension_pairs.h"

#include <cmath>
#include <limits>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/text/json_field.h"
#include "paretofl/text/preference_pairs.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

/// What the field `chosen` or `rejected` of a row says.
struct Answer {
  std::string text;
  std::optional<std::string> prompt = {};  ///< where it is a list that begins with one
  bool listed = false;
};

Answer answer_of(const JsonObject& row, const std::string& path) {
  const nlohmann::json& field = needed_field(row, path);
  if (!field.is_array()) {
    expect(field.is_string(), "{}: expected a text or a list of chat messages in '{}', found {}", row.where(), printable(path),
           field.type_name());
    return {.text = field.get<std::string>()};
  }
  expect(field.size() == 1 || field.size() == 2,
         "{}: expected an answer of the assistant in '{}', alone or after one chat message of the user, found {} messages", row.where(),
         printable(path), field.size());
  const auto content = [&](const nlohmann::json& message, const char* role) {
    const JsonObject object(message, row.where() + ": message");
    const std::string found = object.text("role");
    expect(found == role, "{}: expected a chat message of the {} in '{}', found one of '{}'", row.where(), role, printable(path),
           shown(found));
    return object.text("content");
  };
  Answer answer{.text = content(field.back(), "assistant"), .listed = true};
  if (field.size() == 2) answer.prompt = content(field.front(), "user");
  return answer;
}

DimensionPair pair_of(const JsonObject& row, const PairFields& fields) {
  DimensionPair pair;
  if (const nlohmann::json* dimension = field_at(row.value(), fields.dimension)) {
    pair.dimension = text_of_field(row, *dimension, fields.dimension);
    expect(!pair.dimension.empty(), "{}: expected the name of a dimension in '{}', found an empty text", row.where(),
           printable(fields.dimension));
  }
  if (!fields.offset.empty()) {
    const nlohmann::json& offset = needed_field(row, fields.offset);
    const bool sums = offset.is_number() && std::abs(offset.get<double>()) <= double{std::numeric_limits<float>::max()};
    expect(sums, "{}: expected a finite number of single precision in '{}', found {}", row.where(), printable(fields.offset),
           offset.is_number() ? "another one" : offset.type_name());
    pair.offset = offset.get<double>();
  }
  Answer chosen = answer_of(row, fields.chosen);
  Answer rejected = answer_of(row, fields.rejected);
  const bool has_prompt = field_at(row.value(), fields.prompt) != nullptr;
  if (!has_prompt && !chosen.listed && !rejected.listed) {
    PreferencePair parts = split_dialogues(chosen.text, rejected.text, row.where());
    return {std::move(pair.dimension), std::move(parts.prompt), std::move(parts.chosen), std::move(parts.rejected), true, pair.offset};
  }
  if (has_prompt) {
    pair.prompt = prompt_of_field(row, fields.prompt);
  } else {
    expect(chosen.prompt.has_value() && rejected.prompt.has_value(),
           "{}: expected a field '{}' or two lists of chat messages that begin with the prompt, found neither", row.where(),
           printable(fields.prompt));
    pair.prompt = *chosen.prompt;
  }
  for (const Answer* answer : {&chosen, &rejected}) {
    expect(answer->prompt.value_or(pair.prompt) == pair.prompt, "{}: expected answers to one prompt, found '{}' and '{}'", row.where(),
           shown(pair.prompt), shown(answer->prompt.value_or(pair.prompt)));
  }
  expect(!pair.prompt.empty(), "{}: expected a prompt, found an empty text", row.where());
  pair.chosen = std::move(chosen.text);
  pair.rejected = std::move(rejected.text);
  return pair;
}

}  // namespace

std::vector<DimensionPair> parse_dimension_pairs(std::string_view text, std::string_view name, const PairFields& fields) {
  std::vector<DimensionPair> pairs;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    const std::string where = fmt::format("{}:{}", name, number);
    const nlohmann::json json = parse_json(line, where);
    pairs.push_back(pair_of(JsonObject(json, where), fields));
  });
  expect(!pairs.empty(), "{}: expected pairs of a chosen and a rejected completion, found none", name);
  return pairs;
}

std::vector<DimensionPair> read_dimension_pairs(const std::filesystem::path& file, const PairFields& fields) {
  return parse_dimension_pairs(read_text(file), file.string(), fields);
}

PairFields written_pair_fields(bool with_offsets) { return {.offset = with_offsets ? "offset" : ""}; }

void write_dimension_pairs(std::span<const DimensionPair> pairs, const std::filesystem::path& file, bool with_offsets) {
  std::string text;
  for (const DimensionPair& pair : pairs) {
    const std::string begin = pair.dialogue ? pair.prompt : "";
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!pair.dimension.empty()) json["dimension"] = pair.dimension;
    if (!pair.dialogue) json["prompt"] = pair.prompt;
    json["chosen"] = begin + pair.chosen;
    json["rejected"] = begin + pair.rejected;
    if (with_offsets) json["offset"] = pair.offset;
    text += json_text(json) + "\n";
  }
  write_whole_file(file, text);
}

}  // namespace paretofl
