#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "paretofl/text/chat_template.h"

namespace paretofl {

/// What the text of a published chat template writes.
struct PublishedChat {
  ChatTemplate family;
  std::string system;  ///< the system turn before a dialogue that begins without one; empty where the template or family adds none
};

/// Of a tokenizer_config.json's chat_template. Nothing where the template is of no known family, or where it holds what its family's
/// published templates do not, so that its dialogues would be others: a turn that ends otherwise, a beginning of the
/// answer such as "<think>". Llama 3.2's templates can write today's date; here it is the one that they fall back to.
std::optional<PublishedChat> recognize_chat_template(std::string_view published);

}  // namespace paretofl
