#pragma once

#include <span>
#include <string>
#include <string_view>

namespace paretofl {

/// One turn of a dialogue.
struct ChatMessage {
  std::string role;  ///< system, user or assistant
  std::string content;
};

/// How a model family writes a dialogue as one text, byte for byte as its published template renders it:
/// - kZephyr: "<|user|>\n..</s>\n", TinyLlama-Chat and Zephyr
/// - kLlama3: "<|start_header_id|>user<|end_header_id|>\n\n..<|eot_id|>", Llama 3 Instruct; contents are trimmed
/// - kLlama32: the same, of Llama 3.1 and 3.2 Instruct, whose system turn always is there and begins with the model's knowledge
///   cutoff and today's date: here the published template's default, 26 Jul 2024, so that a run can be repeated
/// - kChatMl: "<|im_start|>user\n..<|im_end|>\n", Qwen 2.5, with its own system turn where the dialogue begins without one
/// - kChatMlPlain: the same without a system turn of its own, Qwen 3
/// - kDialogue: "\n\nHuman: ..\n\nAssistant: ..", of the HH data; a system turn stands in front as it is
enum class ChatTemplate { kZephyr, kLlama3, kLlama32, kChatMl, kChatMlPlain, kDialogue };

/// Of a name: zephyr, llama3, llama3.2, chatml, chatml_plain or dialogue. Throws Error naming them on any other.
ChatTemplate parse_chat_template(std::string_view name);

/// The dialogue as one text, special tokens as text. With `ask`, what the model's next answer follows is added. Throws Error
/// on an unknown role, and where there is no message.
std::string render_chat(ChatTemplate family, std::span<const ChatMessage> messages, bool ask);

}  // namespace paretofl
