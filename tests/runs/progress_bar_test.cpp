#include "paretofl/runs/progress_bar.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace paretofl {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

/// A screen or file, with a clock that the test sets.
struct Screen {
  bool terminal = false;
  std::size_t columns = 80;
  std::chrono::steady_clock::time_point time = {};
  std::string text = {};

  ProgressOutput output() {
    return {.terminal = terminal,
            .columns = [this] { return columns; },
            .now = [this] { return time; },
            .write = [this](std::string_view part) { text += part; }};
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) found.push_back(line);
    return found;
  }
  /// What was drawn on the terminal's line, one after the other.
  std::vector<std::string> drawings() const {
    const std::string start = "\r\033[K";
    std::vector<std::string> found;
    for (std::size_t at = text.find(start); at != std::string::npos;) {
      const std::size_t next = text.find(start, at + start.size());
      found.push_back(text.substr(at + start.size(), next == std::string::npos ? next : next - at - start.size()));
      at = next;
    }
    return found;
  }
};

TEST(ProgressBar, WithoutATerminalALineComesEveryFiveSeconds) {
  Screen file;
  {
    ProgressBar bar("fedcmoo", 0, 10000, "rounds", file.output());
    for (int round = 1; round <= 10000; ++round) {
      file.time += milliseconds(2);  // 20 seconds in all
      bar.update(round, "loss 0.5");
    }
  }
  EXPECT_THAT(file.lines(), testing::ElementsAre("paretofl: fedcmoo 2500/10000 rounds, 500.0 rounds/s, 0:15 left; loss 0.5",
                                                 HasSubstr("5000/10000"), HasSubstr("7500/10000"), HasSubstr(" 10000/10000 ")));
}

TEST(ProgressBar, TheLastRoundIsAlwaysShownOnce) {
  for (const bool terminal : {false, true}) {
    Screen screen{.terminal = terminal};
    { ProgressBar bar("run", 0, 3, "rounds", screen.output()); }
    EXPECT_EQ(screen.text, "") << "nothing was done";
    {
      ProgressBar bar("run", 0, 100, "rounds", screen.output());
      for (int round = 1; round <= 7; ++round) bar.update(round, "");  // then a signal ends it
    }
    EXPECT_THAT(screen.lines().back(), HasSubstr("7/100")) << terminal;
    Screen finished{.terminal = terminal};
    {
      ProgressBar bar("run", 0, 2, "rounds", finished.output());
      bar.update(1, "");
      bar.update(2, "");
    }
    EXPECT_EQ(finished.lines().size(), 1U) << finished.text;
    EXPECT_THAT(finished.lines().back(), HasSubstr("2/2"));
    EXPECT_TRUE(finished.text.ends_with('\n'));
  }
}

TEST(ProgressBar, ATerminalIsDrawnTenTimesASecond) {
  Screen screen{.terminal = true};
  ProgressBar bar("run", 0, 1000, "rounds", screen.output());
  for (int round = 1; round <= 1000; ++round) {
    bar.update(round, "loss 1");
    screen.time += milliseconds(1);
  }
  EXPECT_THAT(screen.drawings(), testing::SizeIs(testing::AllOf(testing::Ge(10U), testing::Le(12U))));
}

/// Columns of a line of ASCII and "…".
std::size_t width(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TEST(ProgressBar, NoLineIsAsWideAsTheTerminal) {
  for (std::size_t columns = 1; columns <= 130; ++columns) {
    Screen screen{.terminal = true, .columns = columns};
    ProgressBar bar("fedcmoo_pref", 0, 100000, "rounds", screen.output());
    for (int round = 1; round <= 20; ++round) {
      screen.time += milliseconds(731);
      bar.update(round * 5000, "loss 0.123/0.456/0.789");
    }
    for (const std::string& line : screen.drawings()) {
      EXPECT_LT(width(line), std::max<std::size_t>(columns, 2)) << columns << ": " << line;
      EXPECT_EQ(line.find('\n'), std::string::npos);
    }
  }
}

TEST(ProgressBar, ANarrowTerminalStillShowsCountBarAndTimeLeft) {
  Screen screen{.terminal = true, .columns = 44};
  ProgressBar bar("fedcmoo", 0, 100, "rounds", screen.output());
  screen.time += milliseconds(1000);
  bar.update(50, "loss 0.123/0.456");
  EXPECT_EQ(screen.drawings().back(), "fedcmoo [#####.....] 50/100  0:01 left");
  screen.columns = 120;
  screen.time += milliseconds(1000);
  bar.update(75, "loss 0.123/0.456");
  EXPECT_THAT(screen.drawings().back(), testing::EndsWith("loss 0.123/0.456"));
}

TEST(ProgressBar, WideCharactersCountTwice) {
  Screen screen{.terminal = true, .columns = 60};
  ProgressBar bar("run", 0, 10, "rounds", screen.output());
  bar.update(1, "損失損失損失損失損失損失損失損失損失損失");
  std::size_t columns = 0;
  const std::string line = screen.drawings().back();
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : static_cast<unsigned char>(c) >= 0xE3 ? 2 : 1;
  EXPECT_LT(columns, 60U);
}

TEST(ProgressBar, OtherLinesStandAboveTheBar) {
  Screen screen{.terminal = true};
  ProgressBar bar("sweep", 0, 10, "rounds", screen.output());
  bar.update(1, "");
  bar.say("one run has ended");
  EXPECT_THAT(screen.text, HasSubstr("\r\033[Kone run has ended\n\r\033[Ksweep ["));
  Screen file;
  ProgressBar("sweep", 0, 10, "rounds", file.output()).say("one run has ended");
  EXPECT_EQ(file.text, "one run has ended\n");
}

}  // namespace
}  // namespace paretofl
