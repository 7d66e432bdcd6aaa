#include "paretofl/parties/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/parties/problem_part.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Problem sample_problem() {
  Problem problem;
  problem.workload = "table";
  problem.clients = 3;
  problem.objectives = {"price", "sold"};
  problem.settings = {{"seed", "1"}, {"workload.batch_size", "8"}};
  problem.facts = {{"scale", 0.1}, {"names", {"a", "b"}}};
  problem.layout = {{.name = "body", .shape = {4, 2}, .range = {}}, {.name = "head0", .shape = {4}, .head = 0, .range = {}}};
  problem.initial_parameters = "ab";
  return problem;
}

void expect_problem_refused(const std::string& text, const std::string& message) {
  EXPECT_THAT([&] { parse_problem(text, "problem.json"); }, ThrowsMessage<Error>(HasSubstr(message)));
}

TEST(Problem, IsReadAsItWasWritten) {
  const Problem problem = sample_problem();
  const Problem found = parse_problem(problem_text(problem), "problem.json");
  expect_same_problem(problem, found, "problem.json");
  EXPECT_EQ(problem_text(found), problem_text(problem));
  EXPECT_EQ(found.layout[1].head, 0);
  EXPECT_EQ(found.layout[0].head, Slice::kShared);
  EXPECT_EQ(found.facts.at("scale").get<double>(), 0.1);
}

TEST(Problem, ADifferenceIsNamed) {
  const auto expect_difference = [](const std::function<void(Problem&)>& change, const std::string& message) {
    Problem other = sample_problem();
    change(other);
    EXPECT_THAT([&] { expect_same_problem(sample_problem(), other, "FILE"); }, ThrowsMessage<Error>(HasSubstr("FILE: " + message)));
  };
  expect_difference([](Problem& p) { p.workload = "glyphs"; }, "workload.name: expected table, found glyphs");
  expect_difference([](Problem& p) { p.clients = 4; }, "clients: expected 3, found 4");
  expect_difference([](Problem& p) { p.settings["workload.batch_size"] = "9"; }, "workload.batch_size: expected 8, found 9");
  expect_difference([](Problem& p) { p.settings.erase("seed"); }, "seed: expected 1, found absent");
  expect_difference([](Problem& p) { p.facts["scale"] = 0.2; }, "facts/scale: expected 0.1, found 0.2");
  expect_difference([](Problem& p) { p.facts["names"][1] = "c"; }, R"(facts/names/1: expected "b", found "c")");
  expect_difference([](Problem& p) { p.layout[0].shape = {2, 4}; }, "layout[0]: expected ");
  expect_difference([](Problem& p) { p.layout.pop_back(); }, "layout.slices: expected 2, found 1");
  expect_difference([](Problem& p) { p.objectives[1] = "bought"; }, R"(objectives: expected ["price","sold"], found ["price","bought"])");
  expect_difference([](Problem& p) { p.initial_parameters = "cd"; }, "initial_parameters_sha256: expected ab, found cd");
}

TEST(Problem, RefusesWhatIsNone) {
  const std::string text = problem_text(sample_problem());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  expect_problem_refused("", "problem.json");
  expect_problem_refused("[]", "problem.json: expected an object, found array");
  expect_problem_refused(with(R"("format": 1)", R"("format": 2)"), "format: expected an integer from 1 to 1, found 2");
  expect_problem_refused(with(R"("clients": 3)", R"("clients": 0)"), "clients: expected an integer from 1");
  expect_problem_refused(with(R"("seed": "1")", R"("seed": 1)"), "seed: expected a text, found number");
  expect_problem_refused(with(R"("facts": {)", R"("fact": {)"), "expected a field 'facts', found none");
  expect_problem_refused(with("4,", "-4,"), "shape: expected whole numbers from 0");
  expect_problem_refused(with(R"("price")", "7"), "objectives[0]: expected a text, found number");
}

TEST(ProblemPart, SaysWhoseItIs) {
  EXPECT_EQ((ProblemPart{"x", 3}).owner(), "client 3");
  EXPECT_EQ((ProblemPart{"x", std::nullopt}).owner(), "the server");
  EXPECT_EQ(parse_owner(R"({"party": "client", "client": 12})", "part.json"), 12);
  EXPECT_EQ(parse_owner(R"({"party": "server"})", "part.json"), std::nullopt);
  const auto expect_refused = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_owner(text, "part.json"); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  expect_refused(R"({"party": "guest"})", "part.json: party: expected client or server, found 'guest'");
  expect_refused(R"({"party": "client"})", "expected a field 'client'");
  expect_refused(R"({"party": "client", "client": -1})", "client: expected an integer from 0");
}

}  // namespace
}  // namespace paretofl
