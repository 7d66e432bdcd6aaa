#include "paretofl/core/shell_word.h"

#include <gtest/gtest.h>

namespace paretofl {
namespace {

TEST(ShellWord, QuotesWhatAShellWouldReadOtherwise) {
  EXPECT_EQ(shell_word("runs/a-b_c.1=2,3:4@5%+"), "runs/a-b_c.1=2,3:4@5%+");
  EXPECT_EQ(shell_word("my run"), "'my run'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("a;b"), "'a;b'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace paretofl
