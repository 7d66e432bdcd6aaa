#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A preference between two completions of a prompt in one dimension, such as helpfulness.
struct DimensionPair {
  std::string dimension = {};  ///< empty where the row does not say it
  std::string prompt;
  std::string chosen;
  std::string rejected;
  bool dialogue = false;  ///< the prompt is the beginning of a dialogue, as a model reads it; else a question
  double offset = 0;      ///< by how much the chosen completion is to be ahead, of dpo_loss

  bool operator==(const DimensionPair&) const = default;
};

/// The fields of a row, by name; json_field.h says what dots in a name mean.
struct PairFields {
  std::string prompt = "prompt";
  std::string chosen = "chosen";
  std::string rejected = "rejected";
  std::string dimension = "dimension";
  std::string offset = {};  ///< empty: offsets are 0; else each row has one
};

/// Pairs with a JSON object per line, in the single-turn formats of the TRL library's preference data sets: not with system messages or
/// several turns, and not with plain texts whose common beginning is the prompt, but for dialogues. The prompt is a text, or a list of one
/// chat message of the user; both are questions, which a chat template may surround, where TRL takes a text as it is. `chosen` and
/// `rejected` are texts, or lists of chat messages: one of the assistant, or the prompt's and one of the assistant. In rows without a
/// prompt, lists begin with it, and texts are dialogues as in preference_pairs.h. The dimension is a text, which rows may lack. The offset
/// is a finite number. Other fields and blank lines are passed over. Throws Error naming `name` and the line on anything else, on an empty
/// prompt, and where there are no pairs.
std::vector<DimensionPair> parse_dimension_pairs(std::string_view text, std::string_view name, const PairFields& fields);

/// The same of a file, plain or gzip-compressed.
std::vector<DimensionPair> read_dimension_pairs(const std::filesystem::path& file, const PairFields& fields);

/// The fields of rows that write_dimension_pairs writes.
PairFields written_pair_fields(bool with_offsets);

/// Writes rows that read_dimension_pairs reads back with those fields, without offsets or with them. Throws Error if that fails.
void write_dimension_pairs(std::span<const DimensionPair> pairs, const std::filesystem::path& file, bool with_offsets);

}  // namespace paretofl
