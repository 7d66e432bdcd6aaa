// The readers of GSM8K and MATH, on rows made here and on the published files.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/questions/competition_math.h"
#include "paretofl/questions/gsm8k.h"
#include "paretofl/questions/question_rows.h"
#include "paretofl/rewards/reward.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::string error_of(std::vector<Question> (*parse)(std::string_view, std::string_view), std::string_view text) {
  try {
    parse(text, "file");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::set<std::string> prompts(const std::vector<Question>& questions) {
  std::set<std::string> set;
  for (const Question& question : questions) set.insert(question.prompt);
  return set;
}

TEST(Gsm8k, TakesTheNumberBehindTheMark) {
  const auto questions = parse_gsm8k("\n{\"question\": \"How many?\", \"answer\": \"7+5=12\\n#### 1,012\", \"other\": 1}\n", "file");
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_EQ(questions[0].prompt, "How many?");
  EXPECT_EQ(questions[0].reference, "1,012");
  EXPECT_EQ(questions[0].solution, "7+5=12\n#### 1,012");
}

TEST(Gsm8k, BadRowsAreErrorsThatNameTheLine) {
  const std::string good = R"({"question": "a", "answer": "#### 1"})";
  EXPECT_THAT(error_of(parse_gsm8k, good + "\n{"), HasSubstr("file:2"));
  EXPECT_THAT(error_of(parse_gsm8k, good + "\n[1]"), HasSubstr("file:2"));
  EXPECT_THAT(error_of(parse_gsm8k, R"({"question": "a"})"), HasSubstr("answer"));
  EXPECT_THAT(error_of(parse_gsm8k, R"({"question": 3, "answer": "#### 1"})"), HasSubstr("question"));
  EXPECT_THAT(error_of(parse_gsm8k, R"({"question": "", "answer": "#### 1"})"), HasSubstr("file:1: expected a question"));
  EXPECT_THAT(error_of(parse_gsm8k, R"({"question": "a", "answer": "it is 1"})"), HasSubstr("expected an answer that ends with '#### '"));
  EXPECT_THAT(error_of(parse_gsm8k, R"({"question": "a", "answer": "#### "})"), HasSubstr("expected an answer that ends with '#### '"));
  EXPECT_THAT(error_of(parse_gsm8k, "\n \n"), HasSubstr("expected questions, found none"));
}

TEST(CompetitionMath, HasSolutionsOrAnswers) {
  const auto questions =
      parse_competition_math("{\"problem\": \"p\", \"solution\": \"so $\\\\boxed{2}$\"}\n{\"problem\": \"q\", \"answer\": \"3\"}", "file");
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_EQ(questions[0].reference, "so $\\boxed{2}$");
  EXPECT_EQ(questions[0].solution, questions[0].reference);
  EXPECT_EQ(questions[1].reference, "3");
  EXPECT_EQ(questions[1].solution, "");
  EXPECT_THAT(error_of(parse_competition_math, R"({"problem": "p"})"), HasSubstr("answer"));
  EXPECT_THAT(error_of(parse_competition_math, R"({"problem": "p", "solution": "two"})"), HasSubstr("with a \\boxed answer, found 'two'"));
}

TEST(CompetitionMath, AnEmptyBoxIsNoAnswer) {
  const auto reference = [](const char* solution) {
    return parse_competition_math(nlohmann::json{{"problem", "p"}, {"solution", solution}}.dump(), "file")[0].reference;
  };
  EXPECT_EQ(reference("$\\boxed{}$"), "");
  EXPECT_EQ(reference("$\\boxed{1}$, then $\\boxed{}$"), "");
  EXPECT_EQ(reference("$\\boxed{}$, then $\\fbox{2}$"), "$\\boxed{}$, then $\\fbox{2}$");
  EXPECT_EQ(reference("$\\boxed 3$"), "$\\boxed 3$");
}

TEST(CompetitionMath, ABoxThatIsNeverClosedIsRefused) {
  const auto fault = [](const std::string& solution) {
    return error_of(parse_competition_math, R"({"problem": "p", "answer": "1"})"
                                            "\n" +
                                                nlohmann::json{{"problem", "q"}, {"solution", solution}}.dump());
  };
  EXPECT_THAT(fault("so $\\boxed{5"), HasSubstr("file:2: expected a solution whose last box is closed, found '{5'"));
  EXPECT_THAT(fault("so $\\boxed{5}$ or $\\fbox {\\frac{1}{2}$"), HasSubstr("file:2: expected a solution whose last box is closed"));
  EXPECT_THAT(fault("so $\\boxed{\\}$"), HasSubstr("file:2: expected a solution whose last box is closed"));
  EXPECT_EQ(fault("so $\\boxed{5}$, and {"), "");
  EXPECT_EQ(fault("so $\\boxed{5$ or $\\boxed{\\{5\\}}$"), "");
  EXPECT_EQ(fault("so $\\boxed 5$"), "");
}

TEST(CompetitionMath, AnAnswerOtherThanTheBoxedOneIsRefused) {
  const auto fault = [](const std::string& solution, const nlohmann::json& answer) {
    return error_of(parse_competition_math, nlohmann::json{{"problem", "q"}, {"solution", solution}, {"answer", answer}}.dump());
  };
  EXPECT_THAT(fault("so $\\boxed{5}$", "6"), HasSubstr("file:1: expected the answer 5 that the solution boxes, found the answer '6'"));
  EXPECT_THAT(fault("so $\\boxed{5}$", "-5"), HasSubstr("file:1: expected the answer 5"));
  EXPECT_EQ(fault("so $\\boxed{5}$", "5"), "");
  EXPECT_EQ(fault("so $-\\boxed{5}$", "-5"), "");
  EXPECT_EQ(fault("so $\\boxed{5}$ or $\\boxed{6}$", "5"), "") << "each part of an answer in a box";
  EXPECT_EQ(fault("so $\\boxed{\\dfrac{10}{2}}$", "5"), "") << "another spelling";
  EXPECT_EQ(fault("so $\\boxed{5}$", 6), "") << "no text, as in other data sets";
}

TEST(CompetitionMath, IsReadFromThePublishedArchiveToo) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "competition_math";
  const auto write = [&](const std::string& name, const std::string& problem, const std::string& solution) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << nlohmann::json{{"problem", problem}, {"level", "Level 1"}, {"solution", solution}}.dump(4);
  };
  std::filesystem::remove_all(folder);
  EXPECT_THAT([&] { load_competition_math({.seed = 1, .data_root = folder}); },
              testing::ThrowsMessage<Error>(HasSubstr("math/train-answers.jsonl: expected a file")));
  for (const std::string place : {"math/MATH/", "math/"}) {
    for (const std::string part : {"train", "test"}) {
      write(place + part + "/algebra/2.json", place + part + " a", "\\boxed{1}");
      write(place + part + "/geometry/1.json", place + part + " g", "\\boxed{2}");
    }
    std::ofstream(folder / place / "train" / "README") << "no problem";
    if (place == "math/") {
      EXPECT_THAT(
          [&] { load_competition_math({.seed = 1, .data_root = folder}); },
          testing::ThrowsMessage<Error>(AllOf(HasSubstr("math/train: expected it without"), HasSubstr("math/MATH/train beside it"))));
      std::filesystem::remove_all(folder / "math/MATH");
    }
    const QuestionSet set = load_competition_math({.seed = 1, .data_root = folder});
    EXPECT_EQ(prompts(set.training), (std::set<std::string>{place + "train a", place + "train g"}));
    EXPECT_EQ(prompts(set.test), (std::set<std::string>{place + "test a", place + "test g"}));
    for (const Question& question : set.test) EXPECT_EQ(question.solution, question.prompt.ends_with("a") ? "\\boxed{1}" : "\\boxed{2}");
  }
  write("math/test/geometry/3.json", "", "\\boxed{2}");
  EXPECT_THAT([&] { load_competition_math({.seed = 1, .data_root = folder}); },
              testing::ThrowsMessage<Error>(HasSubstr("geometry/3.json: expected a question, found an empty text")));
  std::ofstream(folder / "math/test/geometry/3.json") << "{";
  EXPECT_THAT([&] { load_competition_math({.seed = 1, .data_root = folder}); }, testing::ThrowsMessage<Error>(HasSubstr("3.json")));
  std::filesystem::remove_all(folder / "math/test");
  std::filesystem::create_directories(folder / "math/test");
  EXPECT_THAT([&] { load_competition_math({.seed = 1, .data_root = folder}); },
              testing::ThrowsMessage<Error>(HasSubstr("math/test: expected problems in files *.json, found none")));
  std::filesystem::remove_all(folder);
}

TEST(QuestionFiles, KeepEveryQuestionOnOneSide) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "question_files";
  std::filesystem::create_directories(folder);
  {
    std::ofstream training(folder / "train");
    training << R"({"problem": "unanswered", "answer": ""})" << '\n';
    for (int i = 0; i < 40; ++i) training << nlohmann::json{{"problem", std::to_string(i % 30)}, {"answer", "1"}}.dump() << '\n';
    std::ofstream test(folder / "test.gz");  // the content says what is packed
    for (const char* problem : {"3", "x"}) test << nlohmann::json{{"problem", problem}, {"answer", "1"}}.dump() << '\n';
    test << R"({"problem": "unanswered too", "answer": ""})" << '\n';
  }
  const auto read = [&](const char* name) { return read_question_file(question_file(folder, name), parse_competition_math); };
  const QuestionSet set = without_overlap(read("train"), read("test"));
  EXPECT_EQ(set.test.size(), 2U);
  EXPECT_EQ(prompts(set.validation), (std::set<std::string>{"10", "20"})) << "the tenth and the twentieth once 3 is left out";
  EXPECT_EQ(set.training.size(), 36U) << "3 stood there twice";
  for (const std::string& prompt : prompts(set.training)) EXPECT_FALSE(prompts(set.validation).contains(prompt));
  EXPECT_THAT([&] { read("tests"); }, testing::ThrowsMessage<Error>(HasSubstr("tests: expected a file")));
  std::filesystem::remove_all(folder);
}

TEST(QuestionFiles, OfTwoNamesAreRefused) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "two_names";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "gsm8k");
  std::filesystem::create_directories(folder / "math");
  const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text << '\n'; };
  const std::string row = R"({"question": "a", "answer": "#### 1"})";
  for (const char* name : {"gsm8k/train.jsonl", "gsm8k/test.jsonl"}) write(name, row);
  EXPECT_NO_THROW(load_gsm8k({.seed = 1, .data_root = folder}));
  write("gsm8k/train.jsonl.gz", row);
  EXPECT_THAT([&] { load_gsm8k({.seed = 1, .data_root = folder}); },
              testing::ThrowsMessage<Error>(
                  AllOf(HasSubstr("gsm8k/train.jsonl: expected it without"), HasSubstr("gsm8k/train.jsonl.gz beside it"))));
  for (const char* name : {"math/train-answers.jsonl.gz", "math/test.jsonl"}) write(name, R"({"problem": "p", "answer": "1"})");
  EXPECT_NO_THROW(load_competition_math({.seed = 1, .data_root = folder}));
  std::filesystem::create_directories(folder / "math/MATH/test");
  EXPECT_THAT(
      [&] { load_competition_math({.seed = 1, .data_root = folder}); },
      testing::ThrowsMessage<Error>(AllOf(HasSubstr("math/test.jsonl: expected it without"), HasSubstr("math/MATH/test beside it"))));
  std::filesystem::remove_all(folder);
}

TEST(PublishedQuestions, AreThereAndDisjoint) {
  PARETOFL_NEEDS_DATA("gsm8k");
  PARETOFL_NEEDS_DATA("math");
  const QuestionSet gsm8k = load_gsm8k({.seed = 1, .data_root = data_folder()});
  EXPECT_EQ(gsm8k.training.size(), 6726U);
  EXPECT_EQ(gsm8k.validation.size(), 747U);
  EXPECT_EQ(gsm8k.test.size(), 1319U);
  const QuestionSet math = load_competition_math({.seed = 1, .data_root = data_folder()});
  EXPECT_EQ(math.test.size(), 5000U);
  EXPECT_EQ(math.validation.size(), 749U);
  for (const QuestionSet* set : {&gsm8k, &math}) {
    const auto test = prompts(set->test);
    const auto validation = prompts(set->validation);
    for (const Question& question : set->training) {
      EXPECT_FALSE(test.contains(question.prompt) || validation.contains(question.prompt)) << question.prompt;
    }
  }
}

// Each subject's problems stand together in the published file.
TEST(PublishedQuestions, TheFirstOfMathAreOfAllSubjects) {
  PARETOFL_NEEDS_DATA("math");
  const QuestionSet set = load_competition_math({.seed = 1, .data_root = data_folder()});
  // The mean place of the first 200, as a share of the published part; of as many at random it has a deviation of 0.02.
  const auto mean_place = [](const std::vector<Question>& questions, const std::string& part) {
    const auto published = read_competition_math(find_competition_math(data_folder() / "math", part));
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < published.size(); ++i) place[published[i].prompt] = i;
    double sum = 0;
    for (std::size_t i = 0; i < 200; ++i) sum += static_cast<double>(place.at(questions[i].prompt));
    return sum / 200 / static_cast<double>(published.size());
  };
  EXPECT_NEAR(mean_place(set.test, "test"), 0.5, 0.07);
  EXPECT_NEAR(mean_place(set.validation, "train"), 0.5, 0.07);
  EXPECT_EQ(load_competition_math({.seed = 2, .data_root = data_folder()}).test[0].prompt, set.test[0].prompt);
}

TEST(PublishedQuestions, SolutionsOfGsm8kAreRight) {
  PARETOFL_NEEDS_DATA("gsm8k");
  const QuestionSet set = load_gsm8k({.seed = 1, .data_root = data_folder()});
  std::vector<Answer> answers;
  for (const auto* side : {&set.training, &set.validation, &set.test}) {
    for (const Question& question : *side) answers.push_back({question.prompt, question.solution, question.reference});
  }
  EXPECT_EQ(answers.size(), 8792U);
  EXPECT_THAT(make_reward({"gsm8k_accuracy", {}})->scores(answers), testing::Each(1.0));
}

TEST(PublishedQuestions, AnswersOfMathCanBeComparedWith) {
  PARETOFL_NEEDS_DATA("math");
  const QuestionSet set = load_competition_math({.seed = 1, .data_root = data_folder()});
  std::vector<Answer> answers;
  for (const auto* side : {&set.training, &set.validation}) {
    for (const Question& question : *side) answers.push_back({question.prompt, "\\boxed{" + question.reference + "}", question.reference});
  }
  for (const Question& question : set.test) answers.push_back({question.prompt, question.solution, question.reference});
  EXPECT_EQ(answers.size(), 12498U);
  EXPECT_THAT(make_reward({"math_accuracy", {}})->scores(answers), testing::Each(1.0));
}

}  // namespace
}  // namespace paretofl
