#include "paretofl/text/dialogue_turns.h"

#include <gmock/gmock.h>

namespace paretofl {
namespace {

using Turns = std::vector<std::pair<std::string, std::string>>;

Turns turns_of(std::string_view dialogue) {
  Turns turns;
  for (const ChatMessage& turn : dialogue_turns(dialogue)) turns.emplace_back(turn.role, turn.content);
  return turns;
}

TEST(DialogueTurns, AreThoseOfHumanAndAssistant) {
  EXPECT_EQ(turns_of("\n\nHuman: Hi\n\nAssistant: Hello.\n\nHuman:  Who?\nYou? \n\nAssistant:"),
            (Turns{{"user", "Hi"}, {"assistant", "Hello."}, {"user", "Who?\nYou?"}}));
  EXPECT_EQ(turns_of("\n\nHuman: Hi\n\nAssistant: Hello."), (Turns{{"user", "Hi"}, {"assistant", "Hello."}}));
  EXPECT_EQ(turns_of("Be kind.\n\nHuman: Hi\n\nAssistant:"), (Turns{{"system", "Be kind."}, {"user", "Hi"}}));
  EXPECT_EQ(turns_of(" Tell me. "), (Turns{{"user", "Tell me."}}));
  EXPECT_EQ(turns_of(""), (Turns{{"user", ""}}));
  EXPECT_EQ(turns_of("\n\nHuman: a\n\nAssistant:\n\nHuman: b\n\nAssistant:"), (Turns{{"user", "a"}, {"assistant", ""}, {"user", "b"}}));
}

TEST(DialogueTurns, AreWrittenAgainAsTheyWere) {
  for (const std::string dialogue :
       {"\n\nHuman: Hi\n\nAssistant: Hello.\n\nHuman: Who?\n\nAssistant:", "Be kind.\n\nHuman: Hi\n\nAssistant:"}) {
    EXPECT_EQ(render_chat(ChatTemplate::kDialogue, dialogue_turns(dialogue), true), dialogue);
  }
}

TEST(DialogueTurns, LaterOnesBeginWithAQuestion) {
  const std::string dialogue = "\n\nHuman: a\n\nAssistant: b\n\nHuman: c\n\nAssistant: d\n\nHuman: e\n\nAssistant:";
  EXPECT_EQ(later_turns(dialogue), "\n\nHuman: c\n\nAssistant: d\n\nHuman: e\n\nAssistant:");
  EXPECT_EQ(later_turns(later_turns(dialogue)), "\n\nHuman: e\n\nAssistant:");
  EXPECT_EQ(later_turns("\n\nHuman: e\n\nAssistant:"), "");
  EXPECT_EQ(later_turns("no turns"), "");
}

}  // namespace
}  // namespace paretofl
