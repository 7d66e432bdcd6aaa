#include "paretofl/completions/dialogue_form.h"

#include <gmock/gmock.h>

#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/completions/template_folder.h"

namespace paretofl {
namespace {

const std::string kDialogue = "\n\nHuman: Hi\n\nAssistant: Hello.\n\nHuman: Who?\n\nAssistant:";

TEST(DialogueForm, WithoutATemplateIsTheTextItself) {
  const Prompt prompt = DialogueForm({}, "").whole_prompt(kDialogue, ByteTokenizer());
  EXPECT_EQ(prompt.text, kDialogue);
  EXPECT_EQ(prompt.ids, ByteTokenizer().encode(kDialogue, true));
  EXPECT_FALSE(prompt.in_template);
}

TEST(DialogueForm, PutsTheTurnsIntoTheTemplateAndKeepsTheTextForRewards) {
  const Prompt prompt = DialogueForm({.chat_template = "zephyr"}, "").whole_prompt(kDialogue, ByteTokenizer());
  EXPECT_EQ(prompt.text, kDialogue);
  EXPECT_EQ(ByteTokenizer().decode(prompt.ids), "<|user|>\nHi</s>\n<|assistant|>\nHello.</s>\n<|user|>\nWho?</s>\n<|assistant|>\n")
      << "and no special token of ours in front";
  EXPECT_TRUE(prompt.in_template);
}

TEST(DialogueForm, TakesTheSystemTurnOfTheModelsOwnTemplateUnlessTheDialogueHasOne) {
  const auto folder = folder_with_template("dialogue", "{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}" + chatml_turns(), "<|im_end|>");
  const DialogueForm form({}, folder);
  const std::string asked = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
  const auto put = [&](const std::string& dialogue) { return ByteTokenizer().decode(form.whole_prompt(dialogue, ByteTokenizer()).ids); };
  EXPECT_EQ(put("\n\nHuman: Hi\n\nAssistant:"), "<|im_start|>system\nBe kind.<|im_end|>\n" + asked);
  EXPECT_EQ(put("Be short.\n\nHuman: Hi\n\nAssistant:"), "<|im_start|>system\nBe short.<|im_end|>\n" + asked);
}

TEST(DialogueForm, LeavesLongDialoguesOutOrTheirOldestTurns) {
  const std::string last = "\n\nHuman: Who?\n\nAssistant:";
  const auto most = static_cast<std::int64_t>(last.size()) + 1;
  EXPECT_FALSE(DialogueForm({.max_prompt_tokens = most}, "").prompt(kDialogue, ByteTokenizer()).has_value());
  EXPECT_EQ(DialogueForm({.max_prompt_tokens = most}, "").prompt(last, ByteTokenizer()).value().text, last);
  const DialogueForm form({.max_prompt_tokens = most, .long_prompts = "shortened"}, "");
  EXPECT_EQ(form.prompt(kDialogue, ByteTokenizer()).value().text, last);
  EXPECT_EQ(form.prompt(last, ByteTokenizer()).value().ids, ByteTokenizer().encode(last, true));
  EXPECT_FALSE(
      DialogueForm({.max_prompt_tokens = most - 1, .long_prompts = "shortened"}, "").prompt(kDialogue, ByteTokenizer()).has_value());
}

}  // namespace
}  // namespace paretofl
