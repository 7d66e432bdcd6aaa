#include "paretofl/terminal/fitted_text.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(FittedText, BreaksLongLinesAtSpacesBelowTheirDescriptions) {
  EXPECT_EQ(fitted_text("  --dir DIR   folder for the runs and their table\nshort\n", 30),
            "  --dir DIR   folder for the\n              runs and their\n              table\nshort\n");
}

TEST(FittedText, IndentsLessWhereThereIsNoRoom) {
  EXPECT_EQ(fitted_text("  --preferences WHICH         vectors: N, NAME:N or a list", 24),
            "  --preferences WHICH\n      vectors: N, NAME:N\n      or a list");
}

TEST(FittedText, BreaksProseWithoutIndenting) {
  EXPECT_EQ(fitted_text("Prints the page's address and answers until Ctrl-C.", 24),
            "Prints the page's\naddress and answers\nuntil Ctrl-C.");
}

TEST(FittedText, LeavesCommandsAndWordsWhole) {
  const std::string command = "  paretofl run fedcmoo-quadratics --set seed=2 --dir runs/try\n";
  EXPECT_EQ(fitted_text(command, 30), command);
  EXPECT_EQ(fitted_text("a_single_word_that_is_longer_than_all_of_the_width", 24), "a_single_word_that_is_longer_than_all_of_the_width");
  EXPECT_EQ(fitted_text("", 24), "");
  EXPECT_EQ(fitted_text(command + "\n\nx", 0), command + "\n\nx");
}

}  // namespace
}  // namespace paretofl
