#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Two dialogues that begin alike, the first preferred: prompt + chosen and prompt + rejected, byte for byte.
struct PreferencePair {
  std::string prompt;  ///< ends with "\n\nAssistant:"
  std::string chosen;
  std::string rejected;
};

/// The pair that two dialogues make: the prompt is all up to the last "\n\nAssistant:" that both have in common. Throws
/// Error, beginning with `where`, if there is none.
PreferencePair split_dialogues(const std::string& chosen, const std::string& rejected, const std::string& where);

/// Pairs in the format of Anthropic's HH data (Bai et al. 2022, "Training a Helpful and Harmless Assistant with
/// Reinforcement Learning from Human Feedback"): a JSON object per line with the texts `chosen` and `rejected`, dialogues of
/// turns that begin with "\n\nHuman:" and "\n\nAssistant:" (split_dialogues). Other fields and blank lines are passed over.
/// Throws Error naming `name` and the line on anything that is not such a pair, and where there are none.
std::vector<PreferencePair> parse_preference_pairs(std::string_view text, std::string_view name);

/// The same of a file, plain or gzip-compressed.
std::vector<PreferencePair> read_preference_pairs(const std::filesystem::path& file);

}  // namespace paretofl
