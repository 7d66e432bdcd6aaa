#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "paretofl/registry/options.h"
#include "paretofl/text/published_chat.h"

namespace paretofl {

/// The option `chat_template`; `what` says of which texts it is the format.
void describe_chat_template(OptionVisitor& visit, std::string& chat_template, const std::string& what);

/// What `workload.chat_template` chooses: `name` is none, a family of chat_template.h, or auto, that of the tokenizer_config.json in
/// `model`, and none if there is none. Throws Error on anything else, and on a published template of no known family.
std::optional<PublishedChat> chosen_chat(const std::string& name, const std::filesystem::path& model);

}  // namespace paretofl
