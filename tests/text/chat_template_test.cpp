// Expected texts are what Jinja renders from the published templates.
#include "paretofl/text/chat_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<ChatMessage> kQuestion = {{"user", " Hi there \n"}};
const std::vector<ChatMessage> kTalk = {{"system", "Be brief."}, {"user", "1+1?"}, {"assistant", "2"}, {"user", "And 2+2?"}};

TEST(ChatTemplate, RendersZephyr) {
  EXPECT_EQ(render_chat(ChatTemplate::kZephyr, kQuestion, false), "<|user|>\n Hi there \n</s>\n");
  EXPECT_EQ(render_chat(ChatTemplate::kZephyr, kTalk, true),
            "<|system|>\nBe brief.</s>\n<|user|>\n1+1?</s>\n<|assistant|>\n2</s>\n<|user|>\nAnd 2+2?</s>\n<|assistant|>\n");
}

TEST(ChatTemplate, RendersLlama3) {
  EXPECT_EQ(render_chat(ChatTemplate::kLlama3, kQuestion, false),
            "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi there<|eot_id|>");
  EXPECT_EQ(render_chat(ChatTemplate::kLlama3, kTalk, true),
            "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\n1+1?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n2<|eot_id|>"
            "<|start_header_id|>user<|end_header_id|>\n\nAnd 2+2?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n");
}

TEST(ChatTemplate, RendersLlama32) {
  const std::string system =
      "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
  EXPECT_EQ(render_chat(ChatTemplate::kLlama32, kQuestion, true),
            system +
                "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHi there<|eot_id|>"
                "<|start_header_id|>assistant<|end_header_id|>\n\n");
  std::vector<ChatMessage> talk = kTalk;
  talk.front().content = " Be brief. \n";  // trimmed like every turn
  EXPECT_EQ(render_chat(ChatTemplate::kLlama32, talk, false),
            system +
                "Be brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n1+1?<|eot_id|>"
                "<|start_header_id|>assistant<|end_header_id|>\n\n2<|eot_id|>"
                "<|start_header_id|>user<|end_header_id|>\n\nAnd 2+2?<|eot_id|>");
}

TEST(ChatTemplate, RendersChatMl) {
  EXPECT_EQ(render_chat(ChatTemplate::kChatMl, kQuestion, true),
            "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n"
            "<|im_start|>user\n Hi there \n<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(render_chat(ChatTemplate::kChatMl, kTalk, false),
            "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n1+1?<|im_end|>\n<|im_start|>assistant\n2<|im_end|>\n"
            "<|im_start|>user\nAnd 2+2?<|im_end|>\n");
}

TEST(ChatTemplate, RendersChatMlWithoutASystemTurnOfItsOwn) {
  EXPECT_EQ(render_chat(ChatTemplate::kChatMlPlain, kQuestion, true), "<|im_start|>user\n Hi there \n<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(render_chat(ChatTemplate::kChatMlPlain, kTalk, true), render_chat(ChatTemplate::kChatMl, kTalk, true));
}

TEST(ChatTemplate, RendersDialogues) {
  EXPECT_EQ(render_chat(ChatTemplate::kDialogue, kTalk, true), "Be brief.\n\nHuman: 1+1?\n\nAssistant: 2\n\nHuman: And 2+2?\n\nAssistant:");
}

TEST(ChatTemplate, SaysWhatIsWrong) {
  EXPECT_EQ(parse_chat_template("llama3"), ChatTemplate::kLlama3);
  EXPECT_THAT([] { parse_chat_template("llama"); },
              ThrowsMessage<Error>(HasSubstr("expected zephyr, llama3, llama3.2, chatml, chatml_plain or dialogue, found 'llama'")));
  EXPECT_THAT(
      [] {
        render_chat(ChatTemplate::kZephyr, std::vector<ChatMessage>{{"tool", ""}}, false);
      },
      ThrowsMessage<Error>(HasSubstr("found 'tool'")));
  EXPECT_THAT([] { render_chat(ChatTemplate::kZephyr, {}, true); }, ThrowsMessage<Error>(HasSubstr("expected messages, found none")));
}

}  // namespace
}  // namespace paretofl
