#include "paretofl/text/published_chat.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace paretofl {
namespace {

constexpr std::string_view kTurn = "<|im_start|>";
constexpr std::string_view kEnd = "<|im_end|>";

bool is_quote(char c) { return c == '\'' || c == '"'; }

// Takes a line's end from the beginning of a text, as itself or as Jinja's escape.
bool take_line_end(std::string_view& text) {
  for (const std::string_view end : {"\\n", "\n"}) {
    if (!text.starts_with(end)) continue;
    text.remove_prefix(end.size());
    return true;
  }
  return false;
}

// What stands behind every place of a mark.
std::vector<std::string_view> behind_each(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> rests;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + mark.size()))
    rests.push_back(text.substr(at + mark.size()));
  return rests;
}

// A text without blanks, escapes of a line's end as themselves.
std::string without_any_blanks(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else if (c != ' ' && c != '\t' && c != '\r') {
      result += c == '"' ? '\'' : c;
    }
  }
  return result;
}

// Jinja's text within quotes; nothing where its end is in it, or an escape that no template has.
std::optional<std::string> literal(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_quote(text[i])) return std::nullopt;
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    if (text[i] == 'n') {
      result += '\n';
    } else if (text[i] == '\\' || is_quote(text[i])) {
      result += text[i];
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// The system turns that a ChatML template writes itself: none, or all of one text.
std::optional<std::string> own_system(std::string_view published) {
  std::string system;
  for (std::string_view rest : behind_each(published, std::string(kTurn) + "system")) {
    if (!take_line_end(rest)) return std::nullopt;
    if (!rest.empty() && is_quote(rest.front())) continue;  // the dialogue's own turn, or of tools
    const auto text = literal(rest.substr(0, rest.find(kEnd)));
    if (!text || rest.find(kEnd) == std::string_view::npos || (!system.empty() && *text != system)) return std::nullopt;
    system = *text;
  }
  return system;
}

std::optional<PublishedChat> chatml(std::string_view published) {
  const std::string plain = without_any_blanks(published);
  const auto holds = [&](std::string_view mark) { return plain.find(mark) != std::string::npos; };
  for (const std::string_view other : {"|trim", "bos_token", "strftime_now", "Metadata"}) {
    if (holds(other)) return std::nullopt;
  }
  for (std::string_view rest : behind_each(published, std::string(kTurn) + "assistant")) {
    if (!take_line_end(rest) || rest.empty() || !is_quote(rest.front())) return std::nullopt;
  }
  const auto system = own_system(published);
  if (!system || !holds(kEnd)) return std::nullopt;
  return PublishedChat{ChatTemplate::kChatMlPlain, *system};
}

std::optional<PublishedChat> llama3(std::string_view published) {
  const std::string plain = without_any_blanks(published);
  const auto holds = [&](std::string_view mark) { return plain.find(mark) != std::string::npos; };
  const bool dated = holds("CuttingKnowledgeDate:December2023\\n") && holds("26Jul2024");
  const bool own_turn = holds("<|start_header_id|>system");
  if (!holds("|trim") || !holds("<|eot_id|>") || !holds("bos_token") || own_turn != dated) return std::nullopt;
  return PublishedChat{dated ? ChatTemplate::kLlama32 : ChatTemplate::kLlama3, ""};
}

}  // namespace

std::optional<PublishedChat> recognize_chat_template(std::string_view published) {
  const auto holds = [&](std::string_view mark) { return published.find(mark) != std::string_view::npos; };
  if (holds("<|start_header_id|>")) return llama3(published);
  if (holds(kTurn)) return chatml(published);
  if (holds("<|user|>")) {
    const std::string plain = without_any_blanks(published);
    const bool ends = plain.find("'<|user|>\\n'+message['content']+eos_token") != std::string::npos;
    return ends && plain.find("bos_token") == std::string::npos ? std::optional(PublishedChat{ChatTemplate::kZephyr, ""}) : std::nullopt;
  }
  if (holds("\\n\\nHuman:") || holds("\n\nHuman:")) return PublishedChat{ChatTemplate::kDialogue, ""};
  return std::nullopt;
}

}  // namespace paretofl
