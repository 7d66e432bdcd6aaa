#include "paretofl/data/prompt_set.h"

#include <array>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/text/held_out.h"
#include "paretofl/text/preference_pairs.h"

namespace paretofl {
namespace {

constexpr std::array kRequests = {"Tell me about", "Count the", "Why is there", "Draw a"};

void add(PromptSet& set, bool held_out, Prompt prompt) { (held_out ? set.held_out : set.training).push_back(std::move(prompt)); }

}  // namespace

PromptSet read_prompts(std::span<const std::filesystem::path> files, const PromptOfText& prompt_of) {
  std::vector<std::vector<PreferencePair>> pairs_of;  // a list per file
  std::set<std::string> outside;
  for (const std::filesystem::path& file : files) {
    HeldOut held_out;
    pairs_of.push_back(read_preference_pairs(file));
    for (const PreferencePair& pair : pairs_of.back()) {
      if (held_out(pair.prompt)) outside.insert(pair.prompt);
    }
  }
  PromptSet set;
  for (std::size_t source = 0; source < files.size(); ++source) {
    for (const PreferencePair& pair : pairs_of[source]) {
      if (std::optional<Prompt> prompt = prompt_of(pair.prompt)) {
        prompt->source = static_cast<std::uint32_t>(source);
        add(set, outside.contains(pair.prompt), *std::move(prompt));
      } else {
        ++set.too_long;
      }
    }
  }
  expect(!set.training.empty() && !set.held_out.empty(),
         "prompts: expected some of at most max_prompt_tokens tokens to train on and to evaluate on, found {} and {}; {} were longer",
         set.training.size(), set.held_out.size(), set.too_long);
  return set;
}

std::vector<std::string> built_in_prompt_texts() {
  constexpr std::array kKinds = {"red", "old", "tiny", "lost"};
  constexpr std::array kThings = {"boat", "river", "clock", "fox", "stone", "cloud"};
  std::vector<std::string> texts;
  for (const char* kind : kKinds) {
    for (const char* thing : kThings) {
      for (const char* request : kRequests) {
        texts.push_back(std::string("\n\nHuman: ") + request + " " + kind + " " + thing + ".\n\nAssistant:");
      }
    }
  }
  return texts;
}

PromptSet built_in_prompts(const PromptOfText& prompt_of) {
  PromptSet set;
  HeldOut held_out;
  std::size_t number = 0;
  for (const std::string& text : built_in_prompt_texts()) {
    Prompt prompt = prompt_of(text).value();
    prompt.source = static_cast<std::uint32_t>(number++ % kRequests.size());
    add(set, held_out(text), std::move(prompt));
  }
  return set;
}

}  // namespace paretofl
