// Numbers that are one part of a quantity, a term, a choice or a comparison, and right answers that look like them.
#include <gtest/gtest.h>

#include "paretofl/rewards/gsm8k_accuracy.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

double term_score(const std::string& completion, const std::string& reference) { return judged(Gsm8kAccuracy({}), completion, reference); }

struct PartOfMore {
  std::string completion;
  std::vector<std::string> parts;
};

TEST(Gsm8kTerms, NoPartOfAQuantityOrATermIsPaid) {
  const std::vector<PartOfMore> answers = {{"#### 42 and a half", {"42"}},
                                           {"\\boxed{5\\text{ and a half}}", {"5"}},
                                           {"#### two and 1/2", {"0.5"}},
                                           {"#### forty 2", {"2"}},
                                           {"#### 42 plus one", {"42"}},
                                           {"#### 42 times three", {"42"}},
                                           {"#### 42 divided by two", {"42"}},
                                           {"#### 42m30s", {"42"}},
                                           {"<answer>2 kg 300 g</answer>", {"300", "2"}},
                                           {"<answer>1h 42m</answer>", {"42", "1"}},
                                           {"It is 2 m 30 cm.", {"30", "2"}},
                                           {"2 min 30 s", {"30", "2"}},
                                           {"He arrives at 3:45.", {"45", "3"}},
                                           {"The ratio is 2 : 3", {"3", "2"}},
                                           {"The answer is 42 out of 100.", {"100"}},
                                           {"The answer is 50 x 8.", {"8", "50"}},
                                           {"The answer is 50 % 8", {"8", "50"}},
                                           {"The answer is 50**7.", {"7", "50"}},
                                           {"The answer is 50//7", {"7", "50"}},
                                           {"50 % 8", {"8", "50"}},
                                           {"50**7", {"7", "50"}},
                                           {"50//7", {"7", "50"}},
                                           {"50 x 8", {"8", "50"}},
                                           {"x = 41 or x = 42", {"42", "41"}},
                                           {"42 < x", {"42"}},
                                           {"The answer is 42, which is wrong.", {"42"}},
                                           {"The answer is 42, but that is wrong", {"42"}},
                                           {"There are two hundred and 42 people.", {"42"}},
                                           {"The answer is 42. That is wrong.", {"42"}},
                                           {"The answer is 42. No, that is incorrect.", {"42"}},
                                           {"It is 42, but that can't be right.", {"42"}},
                                           {"It is 42, which cannot be right.", {"42"}},
                                           {"It is 42 (wrong).", {"42"}},
                                           {"It is 42, which is not correct.", {"42"}},
                                           {"He worked 42 and a half hours.", {"42"}},
                                           {"He worked 42 hours and a half.", {"42"}},
                                           {"It takes two and 1/2 hours.", {"0.5", "1/2"}},
                                           {"It is 42 and two thirds.", {"42"}},
                                           {"<answer>42 and a half</answer>", {"42"}},
                                           {"The answer is 42 plus one.", {"42"}},
                                           {"The answer is 42 apples plus two apples.", {"42"}},
                                           {"The answer is 42 multiplied by three", {"42"}},
                                           {"#### 42 point five", {"42"}},
                                           {"#### 42 and two", {"42"}},
                                           {"#### two, 42", {"42"}},
                                           {"#### two and 42", {"42"}},
                                           {"It took 3 hours and twenty minutes.", {"3"}},
                                           {"It took 3 hours and twenty five minutes.", {"3"}},
                                           {"It took 3 hours twenty minutes.", {"3"}},
                                           {"He is 5'6\" tall.", {"6", "5"}},
                                           {"The angle is 42\u00b0 30'.", {"30", "42"}},
                                           {"The angle is $42^\\circ 30'$.", {"30", "42"}},
                                           {"It took 2 hours 30.", {"30"}},
                                           {"It took 2 hours, 30 minutes.", {"30"}},
                                           {"It is 5 ft 6 in.", {"6"}},
                                           {"It took 3h45.", {"3", "45"}},
                                           {"It took 3h45m.", {"3", "45"}},
                                           {"The answer is 50 dollars plus 8 dollars.", {"8"}},
                                           {"The answer is 5 apples + 8 apples.", {"8"}},
                                           {"The answer is 5 apples - 3 apples.", {"3"}},
                                           {"The answer is (5) * (8).", {"8"}},
                                           {"The answer is 50 by 8.", {"8"}},
                                           {"The answer is 50 \\bmod 8", {"8"}},
                                           {"The answer is 8 added to 42.", {"42"}},
                                           {"The answer is 42 points out of 100", {"100"}},
                                           {"He ate 18 of the 20.", {"20"}},
                                           {"<answer>42 out of 100</answer>", {"42", "100"}},
                                           {"x = 41 and x = 42", {"42"}},
                                           {"$x = 41$ or $x = 42$", {"42"}},
                                           {"$x = 41 \\text{ or } x = 42$", {"42"}},
                                           {"So $42 \\leq x$ for all", {"42"}},
                                           {"#### 42 thirds", {"42"}},
                                           {"It is twenty 2", {"2"}},
                                           {"It is twenty-2", {"2"}},
                                           {"10 minutes and thirty seconds", {"10"}},
                                           {"The score is 3:2.", {"2", "3"}},
                                           {"The answer is 50 + 8 apples", {"8"}},
                                           {"The answer is $50 \\ast 8$", {"8"}},
                                           {"The time is 10:30 am", {"30"}},
                                           {"It is 42 minus five.", {"42"}},
                                           {"It is 42 more than ten.", {"42"}},
                                           {"<answer>5 lbs 3 oz</answer>", {"3"}},
                                           {"<answer>It is 2 : 3</answer>", {"3"}},
                                           {"50 ^ 8 is it", {"8"}},
                                           {"It is 42 and three quarters.", {"42"}},
                                           {"18 is not what we want", {"18"}},
                                           {"x \\equiv 3 \\pmod{7}", {"7"}},
                                           {"The answer is 42 . This is incorrect.", {"42"}},
                                           {"42 eggs, which is wrong", {"42"}},
                                           {"It is 42. This cannot be right.", {"42"}}};
  for (const char* completion :
       {"It took 2 hr. 42 min.", "It is forty and 42", "The answer is 42, and that's wrong.", "The answer is 42. Actually, that is wrong.",
        "The wrong answer is 42.", "42 is a wrong answer", "42 is the wrong answer", "The answer is 2 per 42", "The answer is 2 point 42"})
    EXPECT_EQ(term_score(completion, "42"), 0) << completion;
  for (const PartOfMore& answer : answers) {
    for (const std::string& part : answer.parts)
      EXPECT_EQ(term_score(answer.completion, part), 0) << answer.completion << " is not " << part;
  }
}

TEST(Gsm8kTerms, RightAnswersThatLookLikePartsArePaid) {
  for (const char* completion : {"The answer is 42.",
                                 "Step 2: 42",
                                 "She has 42 dollars and a half of the cake.",
                                 "He has 42 and half as many cats.",
                                 "2x = 84 or x = 42",
                                 "#### 42 m2",
                                 "#### 42m2",
                                 "#### 42m^2",
                                 "He has 42 wrong answers.",
                                 "It is wrong to steal 42",
                                 "The answer is 42. It is wrong to steal.",
                                 "The answer is 42. That is the answer.",
                                 "The answer is 42, which is right.",
                                 "So 42 is right, which is nice.",
                                 "He has 42 plus a tip",
                                 "42 times a day",
                                 "#### 42 dollars and cents",
                                 "\\boxed{42\\text{ minutes}}",
                                 "The 2 dogs and 3 cats make 5. So it took 42 minutes.",
                                 "They need 5 boxes of 42",
                                 "The answer is 42 -> done",
                                 "so it's 42.\n> quoted",
                                 "The price of two shirts: 42",
                                 "She bought two 42",
                                 "So he has 42 in total.",
                                 "#### 42 two-liter bottles",
                                 "The total is 42</answer",
                                 "The total is 42 <|im_end",
                                 "It is 42%",
                                 "In total, 42, and that is the answer.",
                                 "He sold 42 of them.",
                                 "20 x 2 = 40 + 2 = 42",
                                 "3 * 14 is 42",
                                 "2*$21 = $42",
                                 "It's 42, not 41",
                                 "There are 42 people at the party, which was fun.",
                                 "She has 42 apples, but that is not many.",
                                 "42 is the right answer, no doubt.",
                                 "She ran 42 miles this week and a mile last week",
                                 "She got 42, which is not what she wanted.",
                                 "She got 42, which is not the largest.",
                                 "The answer is forty-two (42).",
                                 "#### forty-two (42)",
                                 "#### 42 (forty two)",
                                 "41 is prime and 42 is not.",
                                 "Answer - 42",
                                 "**Answer:** 42",
                                 "They bought 2 dozen. The total is $42.",
                                 "He can't be late, so he leaves with 42",
                                 "The answer is 42. It is not possible to have more.",
                                 "She has 42 more than the two of them.",
                                 "42. This is the answer.",
                                 "So she saves $42, but it is not enough.",
                                 "She can buy 42 and that is it.",
                                 "In 3 hours, he reads 42 pages",
                                 "He sold 42 in May, that was less than in June.",
                                 "Three friends share it: 42",
                                 "Each of the three has 42",
                                 "He makes $2 per glass and sells twenty, so 42",
                                 "At 2 : 00 he has 42",
                                 "2:00 pm is when he has 42"})
    EXPECT_EQ(term_score(completion, "42"), 1) << completion;
  for (const char* completion : {"The number of wrong answers is 42.", "42 is the total, a large one", "It took 2 min. 42 people came",
                                 "He's right: 42", "It is 42, and that's it.", "It is 42. Actually, that is a lot."})
    EXPECT_EQ(term_score(completion, "42"), 1) << completion;
  EXPECT_EQ(term_score("Day 2:18 pages", "18"), 1);
  EXPECT_EQ(term_score("2x = 36, 2x/2 = 36/2 or 18 = x", "18"), 1);
  EXPECT_EQ(term_score("He has one hundred and two, that is 102", "102"), 1);
  EXPECT_EQ(term_score("It took 2 hours, 30 pages each, so 60", "60"), 1);
}

}  // namespace
}  // namespace paretofl
