#pragma once

#include <string_view>
#include <vector>

#include "paretofl/text/chat_template.h"

namespace paretofl {

/// The turns of a dialogue in the form of the HH data: what stands behind each "\n\nHuman:" is a turn of the user, behind each
/// "\n\nAssistant:" one of the assistant, without white space around. A text in front of the first of them is the system's turn, as
/// render_chat() writes it in ChatTemplate::kDialogue; a text that has none of them is one turn of the user. An assistant's turn at the end
/// that says nothing is the question for the next answer, and no turn.
std::vector<ChatMessage> dialogue_turns(std::string_view dialogue);

/// A dialogue without its oldest turns, a system's turn among them: all from the next "\n\nHuman:" after the first on; empty where there
/// is none.
std::string_view later_turns(std::string_view dialogue);

}  // namespace paretofl
