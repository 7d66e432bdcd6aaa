#include "paretofl/completions/chosen_chat.h"

#include "paretofl/core/error.h"
#include "paretofl/tokenizers/tokenizer_config.h"

namespace paretofl {

void describe_chat_template(OptionVisitor& visit, std::string& chat_template, const std::string& what) {
  visit.choice("chat_template", chat_template, {"auto", "none", "zephyr", "llama3", "llama3.2", "chatml", "chatml_plain", "dialogue"},
               "the format of " + what + "; auto: what the model's tokenizer_config.json says, or none if it says nothing");
}

std::optional<PublishedChat> chosen_chat(const std::string& name, const std::filesystem::path& model) {
  if (name == "none") return std::nullopt;
  if (name != "auto") return PublishedChat{parse_chat_template(name), ""};
  if (model.empty()) return std::nullopt;
  const TokenizerConfig config = read_tokenizer_config(model);
  if (config.chat_template.empty()) return std::nullopt;
  const std::optional<PublishedChat> chat = recognize_chat_template(config.chat_template);
  expect(chat.has_value(),
         "workload.chat_template: expected {} to have a chat template of a known family, found another; set chat_template to a family or "
         "to none",
         model.string());
  const std::string end = config.end_of_sequence.value_or("</s>");
  expect(chat->family != ChatTemplate::kZephyr || end == "</s>",
         "workload.chat_template: expected {} to end the turns of its chat template, of the family zephyr, by '</s>', found '{}'; set "
         "chat_template to a family or to none",
         model.string(), end);
  return chat;
}

}  // namespace paretofl
