#include "paretofl/completions/question_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/completions/template_folder.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

QuestionForm form_of(const std::filesystem::path& folder, const std::string& system = "") {
  return QuestionForm({.instruction = "{question}?", .instruction_key = "key", .system = system, .system_key = "key"}, "auto", folder);
}

TEST(QuestionForm, TakesTheSystemTurnOfTheModelsOwnTemplate) {
  const std::string turns = chatml_turns();
  const auto with = folder_with_template("with", "{{ '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}" + turns, "<|im_end|>");
  const auto without = folder_with_template("without", turns, "<|im_end|>");
  const std::string asked = "<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n";
  const Question question{.prompt = "1+1", .reference = "2"};
  EXPECT_EQ(form_of(with).text(question), "<|im_start|>system\nBe kind.<|im_end|>\n" + asked);
  EXPECT_EQ(form_of(without).text(question), asked);
  EXPECT_EQ(form_of(with, "Compute.").text(question), "<|im_start|>system\nCompute.<|im_end|>\n" + asked);
}

TEST(QuestionForm, RefusesATemplateWithAnotherEndOfATurn) {
  const std::string zephyr = "{{ '<|user|>\\n' + message['content'] + eos_token }}";
  EXPECT_EQ(form_of(folder_with_template("zephyr", zephyr, "</s>")).text({.prompt = "1+1", .reference = "2"}),
            "<|user|>\n1+1?</s>\n<|assistant|>\n");
  EXPECT_THAT([&] { form_of(folder_with_template("other_end", zephyr, "<|endoftext|>")); },
              ThrowsMessage<Error>(HasSubstr("of the family zephyr, by '</s>', found '<|endoftext|>'")));
  EXPECT_THAT([&] { form_of(folder_with_template("phi", "{{ '<|user|>\\n' + message['content'] + '<|end|>\\n' }}", "<|endoftext|>")); },
              ThrowsMessage<Error>(HasSubstr("a chat template of a known family, found another")));
}

}  // namespace
}  // namespace paretofl
