#include "paretofl/tokenizers/post_processor.h"

#include <algorithm>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"
#include "paretofl/tokenizers/vocabulary.h"

namespace paretofl {
namespace {

using nlohmann::json;

TokenId checked_id(const json& value, const std::string& where) {
  expect(value.is_number_unsigned() && value.get<std::uint64_t>() <= kMaxTokenId, "{}: expected an id from 0 to {}, found {}", where,
         kMaxTokenId, value.is_number() ? value.dump() : value.type_name());
  return value.get<TokenId>();
}

/// The id of ["token", id].
TokenId id_of_pair(const JsonObject& object, std::string_view key) {
  const json& pair = object.list(key);
  const std::string where = fmt::format("{}: {}", object.where(), key);
  expect(pair.size() == 2, "{}: expected a token and its id, found {} values", where, pair.size());
  return checked_id(pair[1], where);
}

/// Of a template: what stands before, between and behind its texts "A" and "B", if these are there once each and in this order.
std::optional<PairIds> parse_pair(const JsonObject& object) {
  if (!object.has("pair")) return std::nullopt;
  PairIds result;
  std::string texts;
  for (const JsonObject& piece : object.objects("pair")) {
    if (piece.has("Sequence")) {
      texts += piece.object("Sequence").text("id");
      continue;
    }
    const std::string name = piece.object("SpecialToken").text("id");
    TokenIds& ids = texts.empty() ? result.before : texts.size() == 1 ? result.between : result.after;
    for (const json& id : object.object("special_tokens").object(name).list("ids")) ids.push_back(checked_id(id, object.where()));
  }
  return texts == "AB" ? std::optional(std::move(result)) : std::nullopt;
}

SurroundingIds parse_template(const JsonObject& object) {
  SurroundingIds result;
  int texts = 0;
  for (const JsonObject& piece : object.objects("single")) {
    if (piece.has("Sequence")) {
      ++texts;
      continue;
    }
    const std::string name = piece.object("SpecialToken").text("id");
    for (const json& id : object.object("special_tokens").object(name).list("ids")) {
      (texts == 0 ? result.before : result.after).push_back(checked_id(id, object.where()));
    }
  }
  expect(texts == 1, "{}: single: expected one Sequence, found {}", object.where(), texts);
  result.pair = parse_pair(object);
  return result;
}

// Whether a processor is a template, or ends in one, that adds tokens: it leaves a text in several parts.
bool leaves_parts(const JsonObject& object) {
  const std::string type = object.text("type");
  if (type == "TemplateProcessing") return object.list("single").size() > 1;
  if (type != "Sequence") return false;
  const std::vector<JsonObject> steps = object.objects("processors");
  return std::any_of(steps.begin(), steps.end(), leaves_parts);
}

}  // namespace

SurroundingIds parse_post_processor(const JsonObject& object) {
  const std::string type = object.text("type");
  if (type == "TemplateProcessing") return parse_template(object);
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    const TokenIds cls{id_of_pair(object, "cls")};
    const TokenIds sep{id_of_pair(object, "sep")};
    return {cls, sep, PairIds{cls, type == "BertProcessing" ? sep : TokenIds{sep[0], sep[0]}, sep}};
  }
  if (type == "ByteLevel") return {};
  expect(type == "Sequence",
         "{}: expected a post-processor TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel or Sequence, "
         "found '{}'",
         object.where(), shown(type));
  SurroundingIds result;
  bool in_parts = false;
  for (const JsonObject& step : object.objects("processors")) {
    const SurroundingIds around = parse_post_processor(step);
    expect(!in_parts || step.text("type") == "ByteLevel",
           "{}: expected nothing but ByteLevel behind a template with special tokens, whose parts each later step would surround, found {}",
           step.where(), step.text("type"));
    in_parts = in_parts || leaves_parts(step);
    result.before.insert(result.before.begin(), around.before.begin(), around.before.end());
    result.after.insert(result.after.end(), around.after.begin(), around.after.end());
    if (!around.pair || !result.pair) {
      result.pair = std::nullopt;
      continue;
    }
    result.pair->before.insert(result.pair->before.begin(), around.pair->before.begin(), around.pair->before.end());
    result.pair->between.insert(result.pair->between.end(), around.pair->between.begin(), around.pair->between.end());
    result.pair->after.insert(result.pair->after.end(), around.pair->after.begin(), around.pair->after.end());
  }
  return result;
}

}  // namespace paretofl
