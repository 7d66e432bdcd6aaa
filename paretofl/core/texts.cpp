#include "paretofl/core/texts.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace paretofl {

std::optional<TextDifference> first_difference(const Texts& first, const Texts& second) {
  Texts all = first;
  all.insert(second.begin(), second.end());
  const auto text_in = [](const Texts& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? "absent" : found->second;
  };
  for (const auto& [name, text] : all) {
    TextDifference difference{name, text_in(first, name), text_in(second, name)};
    if (difference.first != difference.second) return difference;
  }
  return {};
}

std::string digest(const Texts& texts) {
  std::string all;
  for (const auto& [name, text] : texts) all += fmt::format("{} {}\n{}\n{}\n", name.size(), text.size(), name, text);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace paretofl
