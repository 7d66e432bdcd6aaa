#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>

#include "tests/paths.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string output;  ///< stdout and stderr
};

Outcome report(const std::string& arguments) {
  std::FILE* pipe = popen(("cd " + testing::TempDir() + " && " + command_path() + " report " + arguments + " 2>&1").c_str(), "r");
  Outcome outcome{};
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) outcome.output.append(buffer.data(), count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

class ReportCommand : public testing::Test {
 protected:
  ReportCommand() : parent_(fs::path(testing::TempDir()) / "report_command") {
    fs::remove_all(parent_);
    write_sample_run(parent_, {.name = "a"});
    write_sample_run(parent_, {.name = "b", .strategy = "fsmgda", .final_accuracy = {0.7, 0.6}});
  }

  fs::path parent_;
};

TEST_F(ReportCommand, OneRunsPageLiesInItsFolder) {
  const Outcome outcome = report("report_command/a");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "report_command/a/report.html\n");
  EXPECT_TRUE(fs::exists(parent_ / "a/report.html"));
}

TEST_F(ReportCommand, SeveralRunsPageLiesBesideThem) {
  EXPECT_EQ(report("report_command/a report_command/b").output, "report_command/report.html\n");
  EXPECT_TRUE(fs::exists(parent_ / "report.html"));
  fs::remove(parent_ / "report.html");
  EXPECT_EQ(report("report_command").code, 0);
  EXPECT_TRUE(fs::exists(parent_ / "report.html"));
}

TEST_F(ReportCommand, OutputNamesAnotherPlace) {
  EXPECT_EQ(report("report_command/a --output report_command/here.html").code, 0);
  EXPECT_TRUE(fs::exists(parent_ / "here.html"));
  EXPECT_FALSE(fs::exists(parent_ / "a/report.html"));
}

TEST_F(ReportCommand, TerminalWritesNoPageAndNoColoursIntoAPipe) {
  const Outcome outcome = report("--terminal report_command/a report_command/b");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, StartsWith("glyphs: final test accuracy (higher is better)\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("\033")));
  EXPECT_FALSE(fs::exists(parent_ / "report.html"));
}

TEST_F(ReportCommand, JsonIsForMachines) {
  const auto json = nlohmann::json::parse(report("--json report_command/a report_command/b").output);
  const auto& groups = json["workloads"][0]["groups"];
  EXPECT_EQ(groups[1]["strategy"], "fsmgda");
  EXPECT_EQ(groups[1]["final"]["accuracy"]["mean"][0], 0.65);
  EXPECT_FALSE(groups[0].contains("curves"));
}

TEST_F(ReportCommand, FrontsHaveAPictureAndTheReferenceGiven) {
  const Outcome outcome = report("--fronts --reference 0.1,0.2 report_command --front-csv report_command/front.csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("A fedcmoo"));
  EXPECT_FALSE(fs::exists(parent_ / "report.html"));
  std::ifstream file(parent_ / "front.csv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "strategy,seed,workload,metric,left,right,run\nfedcmoo,1,glyphs,accuracy,0.9,0.8,a\n");
  EXPECT_EQ(report("report_command --front-csv report_command/front.csv").output, "report_command/front.csv\n");
  EXPECT_FALSE(fs::exists(parent_ / "report.html")) << "only where --output asks for it";
}

TEST_F(ReportCommand, TheReferenceIsThatOfEveryHypervolume) {
  const auto json = nlohmann::json::parse(report("--json report_command --reference 0.1,0.2").output);
  EXPECT_EQ(json["workloads"][0]["references"]["accuracy"], nlohmann::json::parse("[0.1, 0.2]"));
}

TEST_F(ReportCommand, FiguresAndTablesGoToFolders) {
  const Outcome outcome = report("report_command --figures report_command/made/figures --latex report_command/tables");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, "report_command/made/figures\nreport_command/tables\n");
  EXPECT_TRUE(fs::exists(parent_ / "made/figures/pareto-front.svg"));
  EXPECT_TRUE(fs::exists(parent_ / "made/figures/pareto-front.csv"));
  EXPECT_TRUE(fs::exists(parent_ / "tables/final-test-results.tex"));
  EXPECT_FALSE(fs::exists(parent_ / "report.html")) << "only where --output asks for it";
}

TEST_F(ReportCommand, BadInputIsOneLineAndACode) {
  std::ofstream(parent_ / "b/metrics.jsonl") << "nonsense\n";
  for (const char* arguments :
       {"report_command/nowhere", "report_command/b", "report_command/a --output /no/such/place.html", "report_command/a --terminal --json",
        "report_command/a --terminal --fronts", "report_command/a --reference 1", "report_command/a --reference 1,x",
        "report_command/a --front-csv /no/such/place.csv", "report_command/a --figures report_command/a/config.toml",
        "report_command/a --figures report_command/a/config.toml/deeper", "report_command/a --latex /proc/no/place",
        "report_command/a --output report_command/a/config.toml", "report_command/a --front-csv report_command/a/metrics.jsonl"}) {
    const Outcome outcome = report(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_THAT(outcome.output, StartsWith("paretofl: ")) << arguments;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }
  EXPECT_NE(report("").code, 0);
}

}  // namespace
}  // namespace paretofl
