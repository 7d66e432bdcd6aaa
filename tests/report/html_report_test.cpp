#include "paretofl/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/report/page_files.h"
#include "tests/report/sample_runs.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

nlohmann::json data_of(const std::string& page) {
  return nlohmann::json::parse(between(page, R"(<script type="application/json" id="data">)", "</script>"));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(HtmlReport, EscapesText) {
  EXPECT_EQ(escape_html("<b a='1'>\"&\"</b>"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;&quot;&lt;/b&gt;");
  EXPECT_EQ(escape_html("plain λ"), "plain λ");
}

TEST(HtmlReport, EscapesJsonAndKeepsItsMeaning) {
  const nlohmann::json json = {{"</script>", "<!-- & -->"}};
  const std::string text = escape_json_for_script(json.dump());
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), json);
}

TEST(HtmlReport, HoldsEveryRun) {
  const auto runs = sample_run_data(
      "html", {{.name = "first"}, {.name = "second", .strategy = "fsmgda"}, {.name = "third", .workload = "other", .seed = 9}});
  const std::string page = html_report(runs);
  EXPECT_THAT(page, HasSubstr("<title>fedcmoo, fsmgda on glyphs, other</title>"));
  const auto data = data_of(page);
  std::vector<std::string> names;
  for (const auto& workload : data.at("workloads")) {
    for (const auto& group : workload.at("groups")) {
      for (const auto& run : group.at("runs")) names.push_back(run.at("name"));
    }
  }
  EXPECT_THAT(names, testing::ElementsAre("first", "second", "third"));
  const auto& group = data["workloads"][0]["groups"][0];
  EXPECT_EQ(group["final"]["accuracy"]["objectives"], nlohmann::json::parse("[[0.9, null], [0.8, null]]"));
  EXPECT_EQ(group["curves"]["test/accuracy"]["rounds"].size(), 10u);
  EXPECT_EQ(group["curves"]["lambda"]["rounds"].size(), 20u);
  EXPECT_EQ(group["seconds"]["train"], 0.5);
  EXPECT_EQ(group["runs"][0]["failures"][0]["reason"], "lost <connection> & \"gave up\"");
  EXPECT_THAT(group["runs"][0]["config"].get<std::string>(), HasSubstr("[runtime]\nthreads = 2\n"));
}

TEST(HtmlReport, HoldsFrontsSettingsAndTheCompressorsError) {
  auto runs = sample_run_data("html", {{.name = "a", .final_accuracy = {0.9, 0.5}, .settings = "preference = [1, 2]\n"},
                                       {.name = "b", .final_accuracy = {0.6, 0.8}, .settings = "preference = [2, 1]\n"}});
  for (RecordedRound& row : runs[1].rows) row.metrics["gramian_nrmse"] = {0.25};
  const auto workload = data_of(html_report(runs))["workloads"][0];
  EXPECT_EQ(workload["strategy_fronts"]["accuracy"][0]["cardinality"], nlohmann::json::parse("[2, null]"));
  EXPECT_EQ(workload["references"]["accuracy"], nlohmann::json::parse("[0.6, 0.5]"));
  EXPECT_EQ(workload["one_unit"], nlohmann::json::parse(R"({"accuracy": true, "loss": true})"));
  const auto given = data_of(html_report(runs, {0, 0}))["workloads"][0];
  EXPECT_EQ(given["references"]["accuracy"], nlohmann::json::parse("[0.0, 0.0]"));
  EXPECT_EQ(given["strategy_fronts"]["accuracy"][0]["hypervolume"], nlohmann::json::parse("[0.63, null]"));
  EXPECT_EQ(workload["groups"][0]["settings"]["strategy.preference"], "[1.0, 2.0]");
  EXPECT_EQ(workload["groups"][0]["gramian_nrmse"], nlohmann::json::parse("[null, null]"));
  EXPECT_EQ(workload["groups"][1]["gramian_nrmse"], nlohmann::json::parse("[0.25, null]"));
  EXPECT_TRUE(workload["groups"][1]["curves"].contains("metrics/gramian_nrmse"));
}

TEST(HtmlReport, ReferstoNothingOutside) {
  const std::string page = html_report(sample_run_data("html", {{.name = "only"}}));
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(count(page, "<link"), 1u);
  EXPECT_THAT(page, HasSubstr("<link rel=\"icon\" href=\"data:,\">"));
  for (const std::string_view file : {page_html(), page_css(), page_js(), paper_js()}) {
    for (const char* reference : {" src=", "@import", "fetch(", "XMLHttpRequest", "import(", "WebSocket"}) {
      EXPECT_EQ(file.find(reference), std::string_view::npos) << reference;
    }
    EXPECT_EQ(count(std::string(file), "url("), count(std::string(file), "url(#")) << "only to a part of the same picture";
  }
  EXPECT_EQ(page.find("{{"), page.find("{{", page.find(chart_js())));
}

// Names come from config files: what is markup in them stays text.
TEST(HtmlReport, HostileNamesStayText) {
  const std::string hostile = "</script><script>alert(1)</script><img src=x>{{data}}";
  const std::string page = html_report(sample_run_data("html", {{.name = "hostile", .strategy = hostile, .workload = hostile}}));
  const std::string calm = html_report(sample_run_data("html", {{.name = "hostile"}}));
  EXPECT_EQ(count(page, "<script"), count(calm, "<script"));
  EXPECT_EQ(count(page, "</script"), count(calm, "</script"));
  EXPECT_EQ(count(page, "<img"), 0u);
  EXPECT_EQ(data_of(page)["workloads"][0]["name"], hostile);
}

// So do completions, which a language model wrote.
TEST(HtmlReport, HostileCompletionsStayText) {
  auto runs = sample_run_data("html", {{.name = "told"}, {.name = "silent", .strategy = "fsmgda"}});
  const std::string hostile = "</script><script>alert(1)</script><!-- \u2028 \xff";
  runs[0].completions = {{hostile, hostile, {{hostile, 0.123456789}, {"unknown", NAN}}}};
  const std::string page = html_report(runs);
  EXPECT_EQ(count(page, "<script"), count(html_report({runs[1]}), "<script"));
  EXPECT_EQ(count(page, "alert(1)</script>"), 0u);
  const auto groups = data_of(page)["workloads"][0]["groups"];
  const auto example = groups[0]["runs"][0]["completions"][0];
  const std::string shown = hostile.substr(0, hostile.size() - 1) + "\ufffd";
  EXPECT_EQ(example["prompt"], shown);
  EXPECT_EQ(example["completion"], shown);
  EXPECT_EQ(example["reward"][shown], 0.1234568);
  EXPECT_TRUE(example["reward"]["unknown"].is_null());
  EXPECT_FALSE(groups[1]["runs"][0].contains("completions"));
}

TEST(HtmlReport, EqualRunsGiveEqualPages) {
  const auto runs = sample_run_data("html", {{.name = "a"}, {.name = "b", .strategy = "fsmgda"}});
  EXPECT_EQ(html_report(runs), html_report(runs));
}

TEST(HtmlReport, UnfinishedAndEmptyRunsHaveAPage) {
  auto runs = sample_run_data("html", {{.name = "a", .finished = false}});
  EXPECT_EQ(data_of(html_report(runs))["workloads"][0]["groups"][0]["runs"][0]["finished"], false);
  runs[0].rows.clear();
  runs[0].test.clear();
  runs[0].objectives.clear();
  EXPECT_EQ(data_of(html_report(runs))["workloads"][0]["groups"][0]["curves"], nlohmann::json::object());
}

}  // namespace
}  // namespace paretofl
