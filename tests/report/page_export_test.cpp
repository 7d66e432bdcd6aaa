#include "paretofl/report/page_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/report/javascript.h"
#include "tests/paths.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::map<std::string, std::string> by_name(const std::vector<NamedText>& texts) {
  std::map<std::string, std::string> map;
  for (const NamedText& file : texts) EXPECT_TRUE(map.emplace(file.name, file.text).second) << "twice: " << file.name;
  return map;
}

std::vector<RunData> two_strategies() {
  return sample_run_data("export", {{.name = "a"}, {.name = "b", .strategy = "fsmgda", .final_accuracy = {0.7, 0.6}}});
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PageExport, EveryFigureIsAPictureAndItsValues) {
  const auto files = by_name(page_figures(two_strategies()));
  for (const char* name : {"pareto-front", "curves", "objective-weights-lambda", "final-results-by-objective", "where-the-time-goes"}) {
    EXPECT_TRUE(files.contains(std::string(name) + ".svg")) << name;
    EXPECT_TRUE(files.contains(std::string(name) + ".csv")) << name;
  }
  EXPECT_EQ(files.size() % 2, 0u);
  for (const auto& [name, text] : files) {
    if (!name.ends_with(".svg")) continue;
    EXPECT_THAT(text, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")) << name;
    EXPECT_EQ(occurrences(text, "://"), 1u) << name << " refers to nothing outside";
    for (const char* outside : {"href", "<style", "class=", "<script", "var(", "NaN", "undefined"})
      EXPECT_THAT(text, Not(HasSubstr(outside))) << name;
    EXPECT_EQ(occurrences(text, "<g"), occurrences(text, "</g>")) << name;
    EXPECT_EQ(occurrences(text, "<text"), occurrences(text, "</text>")) << name;
  }
}

TEST(PageExport, AxesHaveTitlesAndGroupsDifferWithoutColours) {
  const auto files = by_name(page_figures(two_strategies()));
  EXPECT_THAT(files.at("pareto-front.svg"), HasSubstr(">left: test accuracy (higher is better)</text>"));
  EXPECT_THAT(files.at("pareto-front.svg"), HasSubstr(">right: test accuracy (higher is better)</text>"));
  EXPECT_THAT(files.at("curves.svg"), HasSubstr(">test accuracy</text>"));
  EXPECT_THAT(files.at("curves.svg"), HasSubstr(">round</text>"));
  // The key names both, and each has a marker of its own: a circle and a triangle.
  EXPECT_THAT(files.at("curves.svg"), HasSubstr(">fedcmoo</text>"));
  EXPECT_THAT(files.at("curves.svg"), HasSubstr(">fsmgda</text>"));
  EXPECT_THAT(files.at("curves.svg"), HasSubstr("M15 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0z"));
  EXPECT_THAT(files.at("curves.svg"), HasSubstr("M11 1.5L15.5 10H6.5z"));
}

std::vector<RunData> many_settings(const std::vector<std::string>& strategies, int settings) {
  std::vector<SampleRun> samples;
  for (const std::string& strategy : strategies) {
    for (int i = 1; i <= settings; ++i) {
      samples.push_back(
          {.name = strategy + std::to_string(i), .strategy = strategy, .settings = "local_steps = " + std::to_string(i) + "\n"});
    }
  }
  return sample_run_data("many", samples);
}

TEST(PageExport, TheKeyOfManyGroupsTellsTheirLooks) {
  const std::string two = by_name(page_figures(many_settings({"fedcmoo", "fsmgda"}, 21))).at("upload-against-accuracy.svg");
  EXPECT_THAT(two, HasSubstr(">fedcmoo (21 rows)</text>"));
  EXPECT_THAT(two, HasSubstr(">fsmgda (21 rows)</text>"));
  const std::string one = by_name(page_figures(many_settings({"fedcmoo"}, 41))).at("upload-against-accuracy.svg");
  EXPECT_THAT(one, HasSubstr(">local_steps=1</text>"));
  EXPECT_THAT(one, HasSubstr(">local_steps=41</text>"));
  EXPECT_THAT(one, Not(HasSubstr(">local_steps=2</text>")));
  EXPECT_THAT(one, HasSubstr(">12 of 41, in this order</text>"));
  const std::string few = by_name(page_figures(many_settings({"fedcmoo"}, 40))).at("upload-against-accuracy.svg");
  EXPECT_EQ(occurrences(few, ">local_steps="), 40u);
}

TEST(PageExport, AxesOfRoundsEndWithTheData) {
  const auto runs = sample_run_data("export", {{.name = "a", .rounds = 23}, {.name = "b", .strategy = "fsmgda", .rounds = 23}});
  const std::string curves = by_name(page_figures(runs)).at("curves.svg");
  EXPECT_THAT(curves, HasSubstr(">20</text>"));
  EXPECT_THAT(curves, Not(HasSubstr(">25</text>")));
}

TEST(PageExport, ValuesAreThoseOfTheRuns) {
  const auto files = by_name(page_figures(two_strategies()));
  EXPECT_EQ(files.at("pareto-front.csv").substr(0, files.at("pareto-front.csv").find("fsmgda")),
            "series,left: test accuracy (higher is better),right: test accuracy (higher is better),round\nfedcmoo,0.9,0.8,\n");
  EXPECT_THAT(files.at("pareto-front.csv"), HasSubstr("\nfedcmoo,0.9,0.8,20\n"));
  EXPECT_EQ(files.at("final-results-by-objective.csv"),
            "series,objective,test accuracy (higher is better)\nfedcmoo,left,0.9\nfedcmoo,right,0.8\nfsmgda,left,0.7\nfsmgda,right,0.6\n");
  EXPECT_THAT(files.at("curves.csv"), StartsWith("chart,series,round,test accuracy\nleft,fedcmoo,2,"));
  EXPECT_THAT(files.at("curves.csv"), HasSubstr("\nmean,fedcmoo,20,0.85\n"));
}

TEST(PageExport, TablesAreLatex) {
  const auto files = by_name(page_tables(two_strategies()));
  const std::string& table = files.at("final-test-results.tex");
  EXPECT_THAT(table, HasSubstr("\\usepackage{booktabs}"));
  EXPECT_THAT(table, HasSubstr("\\begin{tabular}{lrrrrrrr}\n\\toprule\nstrategy & seed & left & right & mean"));
  EXPECT_THAT(table, HasSubstr("fedcmoo front & 1 & \\textbf{0.900} & \\textbf{0.800} & \\textbf{0.850} & "));
  EXPECT_THAT(table, HasSubstr("\\bottomrule\n\\end{tabular}"));
  EXPECT_THAT(files.at("failures.tex"), HasSubstr("lost \\textless{}connection\\textgreater{} \\& ''gave up''"));
}

TEST(PageExport, NamesAreEscaped) {
  const std::string hostile = "</text><script>&\"\\input{x}_%$#^~,\u2028\x01";
  const auto runs = sample_run_data(
      "export", {{.name = "a", .objectives = {hostile, "right"}}, {.name = "b", .strategy = "fsmgda", .objectives = {hostile, "right"}}});
  for (const auto& [name, text] : by_name(page_figures(runs))) {
    if (name.ends_with(".svg")) {
      EXPECT_THAT(text, Not(HasSubstr("<script"))) << name;
    }
  }
  EXPECT_THAT(by_name(page_figures(runs)).at("final-results-by-objective.csv"),
              HasSubstr("fedcmoo,\"</text><script>&\"\"\\input{x}_%$#^~,"));
  const std::string table = by_name(page_tables(runs)).at("final-test-results.tex");
  EXPECT_THAT(table, HasSubstr("\\textbackslash{}input\\{x\\}\\_\\%\\$\\#\\textasciicircum{}\\textasciitilde{},"));
}

/// The left edge of a label's box, 20 wide, beside a mark at (300, 100) in an area of 400 x 200 where other marks are.
double left_of_label(const std::string& other_marks) {
  const std::string script = read_file(std::filesystem::path(source_path()) / "paretofl/report/page/charts.js");
  const std::size_t from = script.find("const markBox");
  const std::size_t to = script.find("\n}\n", script.find("function placeLabel"));
  EXPECT_NE(from, std::string::npos);
  EXPECT_NE(to, std::string::npos);
  return std::stod(run_javascript(
      {script.substr(from, to + 3 - from), "const mark = { x: 300, y: 100 };",
       "placeLabel({ left: 0, right: 400, top: 0, bottom: 200 }, [mark, " + other_marks + "].map(markBox), [mark], 20).box.left;"}));
}

TEST(PageExport, ALabelCoversNoOtherMark) {
  EXPECT_EQ(left_of_label("{ x: 50, y: 50 }"), 312) << "at the right of its mark";
  EXPECT_EQ(left_of_label("{ x: 318, y: 102 }"), 268) << "at the left, where a mark is at the right";
  EXPECT_EQ(left_of_label("{ x: 318, y: 102 }, { x: 280, y: 99 }"), 290) << "above";
}

TEST(PageExport, SeveralWorkloadsHaveFilesOfTheirOwn) {
  const auto runs = sample_run_data("export", {{.name = "a"}, {.name = "b", .workload = "other"}});
  const auto files = by_name(page_figures(runs));
  EXPECT_TRUE(files.contains("glyphs-objectives.svg"));
  EXPECT_TRUE(files.contains("other-objectives.svg"));
}

TEST(PageExport, EqualRunsGiveEqualFiles) {
  const auto first = by_name(page_figures(two_strategies())), second = by_name(page_figures(two_strategies()));
  EXPECT_EQ(first, second);
}

TEST(Javascript, SaysWhatAScriptThrew) {
  EXPECT_EQ(run_javascript({"const a = 'λ';", "a + 1;"}), "λ1");
  try {
    run_javascript({"1", "throw new Error('no such thing')"});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "expected the page's script 2 to run, found Error: no such thing");
  }
  EXPECT_THROW(run_javascript({"(() => { const f = () => 1 + f(); return f(); })()"}), Error) << "endless recursion";
  EXPECT_THROW(run_javascript({"{"}), Error);
}

}  // namespace
}  // namespace paretofl
