#include "paretofl/text/chat_template.h"

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string render_zephyr(std::span<const ChatMessage> messages, bool ask) {
  std::string text;
  for (const auto& [role, content] : messages) text += fmt::format("<|{}|>\n{}</s>\n", role, content);
  return ask ? text + "<|assistant|>\n" : text;
}

std::string llama3_turn(std::string_view role, std::string_view content) {
  return fmt::format("<|start_header_id|>{}<|end_header_id|>\n\n{}<|eot_id|>", role, content);
}

std::string llama3_turns(std::span<const ChatMessage> messages, bool ask) {
  std::string text;
  for (const auto& [role, content] : messages) text += llama3_turn(role, trimmed(content));
  return ask ? text + "<|start_header_id|>assistant<|end_header_id|>\n\n" : text;
}

std::string render_llama3(std::span<const ChatMessage> messages, bool ask) { return "<|begin_of_text|>" + llama3_turns(messages, ask); }

std::string render_llama32(std::span<const ChatMessage> messages, bool ask) {
  std::string system = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
  if (messages.front().role == "system") {
    system += trimmed(messages.front().content);
    messages = messages.subspan(1);
  }
  return "<|begin_of_text|>" + llama3_turn("system", system) + llama3_turns(messages, ask);
}

std::string render_chatml(std::span<const ChatMessage> messages, bool ask, bool own_system) {
  std::string text;
  if (own_system && messages.front().role != "system") {
    text = "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n";
  }
  for (const auto& [role, content] : messages) text += fmt::format("<|im_start|>{}\n{}<|im_end|>\n", role, content);
  return ask ? text + "<|im_start|>assistant\n" : text;
}

std::string render_dialogue(std::span<const ChatMessage> messages, bool ask) {
  std::string text;
  for (const auto& [role, content] : messages) {
    text += role == "system" ? content : fmt::format("\n\n{}: {}", role == "user" ? "Human" : "Assistant", content);
  }
  return ask ? text + "\n\nAssistant:" : text;
}

}  // namespace

ChatTemplate parse_chat_template(std::string_view name) {
  if (name == "zephyr") return ChatTemplate::kZephyr;
  if (name == "llama3") return ChatTemplate::kLlama3;
  if (name == "llama3.2") return ChatTemplate::kLlama32;
  if (name == "chatml") return ChatTemplate::kChatMl;
  if (name == "chatml_plain") return ChatTemplate::kChatMlPlain;
  if (name == "dialogue") return ChatTemplate::kDialogue;
  throw Error(fmt::format("chat template: expected zephyr, llama3, llama3.2, chatml, chatml_plain or dialogue, found '{}'", shown(name)));
}

std::string render_chat(ChatTemplate family, std::span<const ChatMessage> messages, bool ask) {
  expect(!messages.empty(), "chat template: expected messages, found none");
  for (const ChatMessage& message : messages) {
    const bool known = message.role == "system" || message.role == "user" || message.role == "assistant";
    expect(known, "chat template: expected the roles system, user and assistant, found '{}'", shown(message.role));
  }
  switch (family) {
    case ChatTemplate::kZephyr:
      return render_zephyr(messages, ask);
    case ChatTemplate::kLlama3:
      return render_llama3(messages, ask);
    case ChatTemplate::kLlama32:
      return render_llama32(messages, ask);
    case ChatTemplate::kChatMl:
      return render_chatml(messages, ask, true);
    case ChatTemplate::kChatMlPlain:
      return render_chatml(messages, ask, false);
    case ChatTemplate::kDialogue:
      return render_dialogue(messages, ask);
  }
  return "";
}

}  // namespace paretofl
