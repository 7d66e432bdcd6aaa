#include "paretofl/report/page_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "paretofl/core/error.h"
#include "paretofl/report/javascript.h"
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
