#include "paretofl/tokenizers/post_processor.h"

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
  return result;
}

}  // namespace

SurroundingIds parse_post_processor(const JsonObject& object) {
  const std::string type = object.text("type");
  if (type == "TemplateProcessing") return parse_template(object);
  if (type == "BertProcessing" || type == "RobertaProcessing") return {{id_of_pair(object, "cls")}, {id_of_pair(object, "sep")}};
  if (type == "ByteLevel") return {};
  expect(type == "Sequence",
         "{}: expected a post-processor TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel or Sequence, "
         "found '{}'",
         object.where(), shown(type));
  SurroundingIds result;
  for (const JsonObject& step : object.objects("processors")) {
    const SurroundingIds around = parse_post_processor(step);
    result.before.insert(result.before.begin(), around.before.begin(), around.before.end());
    result.after.insert(result.after.end(), around.after.begin(), around.after.end());
  }
  return result;
}

}  // namespace paretofl
