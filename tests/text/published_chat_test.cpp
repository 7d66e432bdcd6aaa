// Templates are those that models are published with, or the parts of them that decide.
#include "paretofl/text/published_chat.h"

#include <gtest/gtest.h>

#include <string>

namespace paretofl {
namespace {

const std::string kTinyLlama = R"({% for message in messages %}
{% if message['role'] == 'user' %}
{{ '<|user|>
' + message['content'] + eos_token }}
{% elif message['role'] == 'system' %}
{{ '<|system|>
' + message['content'] + eos_token }}
{% elif message['role'] == 'assistant' %}
{{ '<|assistant|>
'  + message['content'] + eos_token }}
{% endif %}
{% if loop.last and add_generation_prompt %}
{{ '<|assistant|>' }}
{% endif %}
{% endfor %})";
const std::string kLlama3 =
    R"({% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + )"
    R"('<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + )"
    R"(content %}{% endif %}{{ content }}{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }})";
const std::string kLlama32 = R"({{- bos_token }}
{%- if not date_string is defined %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{{- "Cutting Knowledge Date: December 2023\n" }}
{{- "Today Date: " + date_string + "\n\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' }}
{%- endfor %})";

const std::string kQwenTurns = R"({%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %})";
const std::string kQwen25 = R"({%- if tools %}
    {{- '<|im_start|>system\n' }}
    {{- 'You are Qwen, created by Alibaba Cloud. You are a helpful assistant.' }}
{%- else %}
    {%- if messages[0]['role'] == 'system' %}
        {{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
    {%- else %}
        {{- '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n' }}
    {%- endif %}
{%- endif %})" + kQwenTurns;
const std::string kQwen3 = R"({%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %})" + kQwenTurns;
const std::string kSmolLm2 =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou are a helpful AI "
    "assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + "
    "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

void expect_chat(const std::string& published, ChatTemplate family, const std::string& system) {
  const auto chat = recognize_chat_template(published);
  ASSERT_TRUE(chat.has_value()) << published;
  EXPECT_EQ(chat->family, family) << published;
  EXPECT_EQ(chat->system, system) << published;
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + other.size()))
    text.replace(at, part.size(), other);
  return text;
}

TEST(PublishedChat, IsOfAFamily) {
  expect_chat(kTinyLlama, ChatTemplate::kZephyr, "");
  expect_chat(kLlama3, ChatTemplate::kLlama3, "");
  expect_chat(kLlama32, ChatTemplate::kLlama32, "");
  expect_chat(R"({{ '\n\nHuman: ' + message['content'] }})", ChatTemplate::kDialogue, "");
  EXPECT_FALSE(recognize_chat_template("[INST]").has_value());
}

TEST(PublishedChat, HasASystemTurnOfItsOwn) {
  expect_chat(kQwen25, ChatTemplate::kChatMlPlain, "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.");
  expect_chat(kSmolLm2, ChatTemplate::kChatMlPlain, "You are a helpful AI assistant named SmolLM, trained by Hugging Face");
  expect_chat(kQwen3, ChatTemplate::kChatMlPlain, "");
  const std::string qwen = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.";
  expect_chat(with(kQwen25, qwen, R"(Put your final answer within \\boxed{}, as you\'d do.)"), ChatTemplate::kChatMlPlain,
              R"(Put your final answer within \boxed{}, as you'd do.)");
  EXPECT_FALSE(recognize_chat_template(with(kQwen25, qwen, R"(You are ' + name + '.)")).has_value());
}

TEST(PublishedChat, IsOfNoFamilyWhereItWritesSomethingElse) {
  const std::string others[] = {
      with(kTinyLlama, "eos_token", "'<|end|>\\n'"),  // Phi-3
      with(kTinyLlama, "eos_token", "'\\n'"),         // Tulu 3, Falcon 3
      "{{ bos_token }}" + kTinyLlama,
      with(kQwen3, "assistant\\n'", "assistant\\n<think>\\n'"),  // thinking models
      with(kQwen3, "message.content +", "message.content | trim +"),
      "{{ bos_token }}" + kQwen3,
      with(kQwen3, "system\\n' + messages[0].content", "system\\n## Metadata\\n' + messages[0].content"),  // SmolLM3
      with(kLlama32, "December 2023", "March 2025"),
      with(kLlama32, R"({{- "Cutting Knowledge Date: December 2023\n" }})", ""),  // Nemotron
      with(kLlama3, " | trim", ""),
      with(kLlama3, "bos_token + ", ""),
  };
  for (const std::string& other : others) EXPECT_FALSE(recognize_chat_template(other).has_value()) << other;
}

}  // namespace
}  // namespace paretofl
