#include "paretofl/serve/live_server.h"

#include <gmock/gmock.h>
#include <sys/file.h>

#include <fcntl.h>

#include "paretofl/core/error.h"
#include "tests/serve/http_client.h"
#include "tests/serve/live_run.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

class LiveServers : public testing::Test {
 protected:
  LiveServers() : folder_(fresh_folder("server")), run_(folder_, "a"), server_(quick(folder_)) {}

  Json list() { return Json::parse(get(server_.port(), "/api/runs").body); }
  Json page(const std::string& name = "a") { return Json::parse(get(server_.port(), "/api/runs/" + name).body); }
  /// Waits until the run is listed and a viewer of it sees a state.
  void await_state(const std::string& state, const std::string& name = "a") {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (get(server_.port(), "/api/runs/" + name).status == 404) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << name << " is not listed";
    }
    RawViewer viewer(server_.port(), "/api/runs/" + name + "/events");
    for (std::string found; found != state;) {
      const RawEvent event = viewer.next("state");
      ASSERT_NE(event.data, "");
      found = Json::parse(event.data).at("state");
    }
  }

  fs::path folder_;
  LiveRun run_;
  LiveServer server_;
};

TEST_F(LiveServers, RowsOverEventsAreThoseOfTheFile) {
  RawViewer viewer(server_.port(), "/api/runs/a/events");
  EXPECT_THAT(viewer.head(), HasSubstr("Content-Type: text/event-stream"));
  std::vector<std::string> rows;
  for (int round = 1; round <= 5; ++round) {
    run_.append_rows(round, round);
    rows.push_back(viewer.next("row").data);
  }
  EXPECT_EQ(rows, run_.lines());
}

TEST_F(LiveServers, TheFoldersOfASplitAreNoRun) {
  fs::create_directories(folder_ / "parts/client-0");
  std::ofstream(folder_ / "parts/client-0/part.json") << R"({"party": "client", "client": 0})";
  fs::copy_file(folder_ / "a/config.toml", folder_ / "parts/config.toml");
  LiveRun later(folder_, "b");
  await_state("unfinished", "b");  // a scan after both were there
  EXPECT_EQ(get(server_.port(), "/api/runs/parts").status, 404);
}

TEST_F(LiveServers, ManyViewersGetTheSame) {
  run_.append_rows(1, 10);
  std::vector<std::unique_ptr<RawViewer>> viewers;
  for (int i = 0; i < 10; ++i) viewers.push_back(std::make_unique<RawViewer>(server_.port(), "/api/runs/a/events"));
  run_.append_rows(11, 20);
  for (const auto& viewer : viewers) {
    std::vector<std::string> rows;
    while (rows.size() < 20) rows.push_back(viewer->next("row").data);
    EXPECT_EQ(rows, run_.lines());
  }
}

TEST_F(LiveServers, AViewerGoesOnAfterItsLastEvent) {
  run_.append_rows(1, 4);
  RawViewer first(server_.port(), "/api/runs/a/events");
  first.next("row");
  const std::string id = first.next("row").id;
  RawViewer by_header(server_.port(), "/api/runs/a/events", "Last-Event-ID: " + id + "\r\n");
  EXPECT_EQ(by_header.next("row").data, run_.lines()[2]);
  RawViewer by_query(server_.port(), "/api/runs/a/events?after=" + id);
  EXPECT_EQ(by_query.next("row").data, run_.lines()[2]);
  RawViewer stranger(server_.port(), "/api/runs/a/events?after=2-0123456789abcdef");
  EXPECT_EQ(stranger.next().kind, "reset");
  EXPECT_EQ(stranger.next("row").data, run_.lines()[0]);
  EXPECT_EQ(get(server_.port(), "/api/runs/a/events?after=2").status, 400);
}

TEST_F(LiveServers, SendsARowWhenItIsComplete) {
  RawViewer viewer(server_.port(), "/api/runs/a/events");
  run_.append(LiveRun::row(1) + "\n" + LiveRun::row(2).substr(0, 30));
  EXPECT_EQ(viewer.next("row").data, LiveRun::row(1));
  run_.append(LiveRun::row(2).substr(30) + "\n");
  EXPECT_EQ(viewer.next("row").data, LiveRun::row(2));
}

TEST_F(LiveServers, SeesARunThatIsBegunAgainOrResumed) {
  run_.append_rows(1, 3);
  RawViewer viewer(server_.port(), "/api/runs/a/events");
  for (int i = 0; i < 3; ++i) viewer.next("row");
  run_.begin();
  run_.append_rows(1, 2, 0.7);
  RawEvent event = viewer.next("reset");
  EXPECT_EQ(Json::parse(event.data).at("rows"), 0);
  EXPECT_EQ(viewer.next("row").data, run_.lines()[0]);
  EXPECT_EQ(viewer.next("row").data, run_.lines()[1]);
  run_.replace_rows(run_.lines()[0] + "\n");
  event = viewer.next("reset");
  EXPECT_EQ(Json::parse(event.data).at("rows"), 1);
  run_.append_rows(2, 2, 0.8);
  EXPECT_EQ(viewer.next("row").data, LiveRun::row(2, 0.8));
}

TEST_F(LiveServers, ListsTheRuns) {
  run_.append_rows(1, 3);
  LiveRun other(folder_, "b & <c>");
  std::ofstream(folder_ / "notes.txt") << "no run";
  fs::create_directories(folder_ / "empty");
  RawViewer(server_.port(), "/api/runs/a/events").next("row");
  await_state("unfinished", "b%20%26%20%3Cc%3E");
  const Json runs = list();
  EXPECT_EQ(runs.at("single"), false);
  ASSERT_EQ(runs.at("runs").size(), 2u);
  const Json& entry = runs["runs"][0];
  EXPECT_EQ(entry.at("name"), "a");
  EXPECT_EQ(entry.at("strategy"), "fedcmoo");
  EXPECT_EQ(entry.at("workload"), "glyphs");
  EXPECT_EQ(entry.at("state"), "unfinished");
  EXPECT_EQ(entry.at("rounds"), 3);
  EXPECT_EQ(entry.at("rounds_planned"), 20);
  EXPECT_EQ(entry.at("bytes_up"), 3000);
  EXPECT_EQ(entry.at("failures"), 3);
  EXPECT_EQ(entry.at("late"), 3);
  EXPECT_EQ(entry.at("last"), Json::parse(R"({"test":{"accuracy":{"left":0.53,"right":null}},"train":{"loss":{"left":)" +
                                          Json(0.5 / 3).dump() + R"(,"right":0.25}}})"));
  EXPECT_EQ(runs["runs"][1].at("name"), "b & <c>");
}

TEST_F(LiveServers, GivesTheDataOfTheReportsPage) {
  run_.append_rows(1, 4);
  await_state("unfinished");
  Json data = page().at("data");
  const Json& group = data.at("workloads")[0].at("groups")[0];
  EXPECT_EQ(group.at("curves").at("test/accuracy").at("mean")[0], Json::parse("[0.51,0.52,0.53,0.54]"));
  run_.finish();
  await_state("completed");
  EXPECT_EQ(page().at("data").at("workloads")[0].at("groups")[0].at("runs")[0].at("finished"), true);
}

TEST_F(LiveServers, TellsWhetherARunGoesOn) {
  const int lock = ::open((run_.folder() / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  await_state("running");
  ::close(lock);
  await_state("unfinished");
  run_.finish("failed");
  await_state("failed");
}

TEST_F(LiveServers, NamesWhatIsDamagedAndServesTheRest) {
  LiveRun good(folder_, "good");
  good.append_rows(1, 2);
  RawViewer viewer(server_.port(), "/api/runs/a/events");
  run_.append(LiveRun::row(1) + "\n{\"round\": oh\n" + LiveRun::row(3) + "\n");
  EXPECT_EQ(viewer.next("row").data, LiveRun::row(1));
  const Json state = Json::parse(viewer.next("state").data);
  EXPECT_EQ(state.at("state"), "damaged");
  EXPECT_THAT(state.at("error").get<std::string>(), HasSubstr("metrics.jsonl:2: expected"));
  EXPECT_TRUE(page().at("data").is_null());
  EXPECT_THAT(page().at("run").at("error").get<std::string>(), HasSubstr("metrics.jsonl:2: expected"));
  await_state("unfinished", "good");
  EXPECT_FALSE(page("good").at("data").is_null());
  std::ofstream(good.folder() / "config.toml") << "seed = [";
  await_state("damaged", "good");
  std::ofstream(good.folder() / "summary.json") << "[]";
  EXPECT_EQ(list().at("runs").size(), 2u);
}

TEST_F(LiveServers, NamesARunThatVanished) {
  run_.append_rows(1, 2);
  RawViewer viewer(server_.port(), "/api/runs/a/events");
  viewer.next("row");
  viewer.next("row");
  fs::remove_all(run_.folder());
  EXPECT_EQ(Json::parse(viewer.next("reset").data).at("rows"), 0);
  await_state("vanished");
  EXPECT_TRUE(page().at("data").is_null());
  EXPECT_EQ(get(server_.port(), "/metrics").status, 200);
  run_.begin();
  run_.append_rows(1, 1);
  EXPECT_EQ(viewer.next("row").data, LiveRun::row(1));
}

TEST_F(LiveServers, FollowsNoLink) {
  const fs::path outside = fresh_folder("outside");
  LiveRun secret(outside, "secret");
  secret.append_rows(1, 2);
  fs::create_symlink(secret.folder(), folder_ / "linked");
  LiveRun half(folder_, "half");
  fs::create_symlink(secret.metrics(), half.metrics());
  await_state("damaged", "half");
  EXPECT_TRUE(page("half").at("data").is_null());
  EXPECT_EQ(get(server_.port(), "/api/runs/linked").status, 404);
  EXPECT_EQ(list().at("runs").size(), 2u);
}

TEST_F(LiveServers, OffersPrometheusItsFigures) {
  run_.append_rows(1, 2);
  LiveRun other(folder_, "quote\"back\\slash");
  await_state("unfinished", "quote%22back%5Cslash");
  RawViewer(server_.port(), "/api/runs/a/events").next("row");
  const RawAnswer answer = get(server_.port(), "/metrics");
  EXPECT_THAT(answer.head, HasSubstr("text/plain; version=0.0.4"));
  for (const char* line : {"# TYPE paretofl_round gauge\n", "paretofl_round{run=\"a\"} 2\n", "paretofl_rounds_planned{run=\"a\"} 20\n",
                           "paretofl_bytes_up{run=\"a\"} 2000.0\n", "paretofl_failures{run=\"a\"} 2\n", "paretofl_late{run=\"a\"} 2.0\n",
                           "paretofl_seconds{run=\"a\",phase=\"train\"} 1.0\n", "paretofl_round{run=\"quote\\\"back\\\\slash\"} 0\n",
                           "paretofl_measured{run=\"a\",split=\"test\",metric=\"accuracy\",objective=\"left\"} 0.52\n",
                           "paretofl_measured{run=\"a\",split=\"test\",metric=\"accuracy\",objective=\"right\"} NaN\n"}) {
    EXPECT_THAT(answer.body, HasSubstr(line));
  }
}

TEST_F(LiveServers, ThePageMayLoadNothingElse) {
  const RawAnswer page = get(server_.port(), "/");
  EXPECT_EQ(page.status, 200);
  const std::size_t at = page.head.find("script-src 'nonce-");
  ASSERT_NE(at, std::string::npos);
  const std::string nonce = page.head.substr(at + 18, 32);
  EXPECT_THAT(page.body, HasSubstr("<script nonce=\"" + nonce + "\">"));
  EXPECT_THAT(page.body, Not(HasSubstr("<script>")));
  EXPECT_THAT(get(server_.port(), "/").head, Not(HasSubstr(nonce)));
  for (const char* path : {"/", "/api/runs", "/api/runs/a", "/metrics", "/nothing"}) {
    const std::string head = get(server_.port(), path).head;
    EXPECT_THAT(head, HasSubstr("Cache-Control: no-store"));
    EXPECT_THAT(head, HasSubstr("X-Content-Type-Options: nosniff"));
    EXPECT_THAT(head, HasSubstr("Content-Security-Policy: default-src 'none'"));
    EXPECT_THAT(head, Not(HasSubstr("Access-Control")));
  }
}

TEST_F(LiveServers, AnswersHeadWithoutABody) {
  for (const char* path : {"/", "/api/runs", "/api/runs/a", "/api/runs/a/events", "/metrics"}) {
    const RawAnswer answer = answer_to(server_.port(), std::string("HEAD ") + path + " HTTP/1.1\r\nHost: localhost:1\r\n\r\n");
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.body, "") << path;
  }
}

TEST_F(LiveServers, IgnoresWishesForPartsAndCompression) {
  const std::string whole = get(server_.port(), "/api/runs").body;
  std::string ranges = "Range: bytes=0-1";
  for (int i = 0; i < 500; ++i) ranges += ",0-1";
  const RawAnswer answer = get(server_.port(), "/api/runs", "Accept-Encoding: gzip, br\r\n" + ranges + "\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, whole);
}

TEST_F(LiveServers, SlowViewersAreInNobodysWay) {
  const std::string long_name(100000, 'x');
  for (int round = 1; round <= 40; ++round) run_.append("{\"round\":" + std::to_string(round) + ",\"x\":\"" + long_name + "\"}\n");
  RawViewer slow(server_.port(), "/api/runs/a/events");  // which reads no further
  RawViewer quick_one(server_.port(), "/api/runs/a/events");
  for (int round = 1; round <= 40; ++round) EXPECT_EQ(quick_one.next("row").data.size(), run_.lines()[0].size() + (round > 9));
  EXPECT_EQ(get(server_.port(), "/api/runs").status, 200);
}

TEST_F(LiveServers, RefusesFurtherViewers) {
  std::vector<std::unique_ptr<RawViewer>> viewers;
  for (int i = 0; i < LiveServer::kMaxViewers; ++i) viewers.push_back(std::make_unique<RawViewer>(server_.port(), "/api/runs/a/events"));
  EXPECT_EQ(get(server_.port(), "/api/runs/a/events").status, 503);
  EXPECT_EQ(get(server_.port(), "/api/runs").status, 200);
}

TEST(LiveServer, EndsWhileViewersWatch) {
  const fs::path folder = fresh_folder("ends");
  const LiveRun run(folder, "a");
  auto server = std::make_unique<LiveServer>(quick(folder));
  RawViewer viewer(server->port(), "/api/runs/a/events");
  viewer.next("state");
  server.reset();
  EXPECT_EQ(viewer.next().kind, "end of the stream");
}

TEST(LiveServer, SendsAHeartbeat) {
  const fs::path folder = fresh_folder("heartbeat");
  const LiveRun run(folder, "a");
  LiveServerOptions options = quick(folder);
  options.heartbeat = std::chrono::milliseconds(1);
  const LiveServer server(options);
  RawConnection connection(server.port());
  connection.send(get_request("/api/runs/a/events"));
  std::string block;
  while (!(block = connection.read_until("\n\n")).empty() && block.front() != ':') {
  }
  EXPECT_THAT(block, testing::StartsWith(":"));
}

TEST(LiveServer, ShowsARunDirectoryAlone) {
  const LiveRun run(fresh_folder("single"), "only");
  run.append_rows(1, 2);
  const LiveServer server(quick(run.folder()));
  const Json list = Json::parse(get(server.port(), "/api/runs").body);
  EXPECT_EQ(list.at("single"), true);
  EXPECT_EQ(list.at("runs")[0].at("name"), "only");
  EXPECT_EQ(RawViewer(server.port(), "/api/runs/only/events").next("row").data, LiveRun::row(1));
}

TEST(LiveServer, NeedsAFolderAPortAndForOthersAToken) {
  const fs::path folder = fresh_folder("needs");
  EXPECT_THROW(LiveServer(quick(folder / "absent")), Error);
  LiveServerOptions open = quick(folder);
  open.host = "0.0.0.0";
  EXPECT_THROW(LiveServer{open}, Error);
  open.token = "short";
  EXPECT_THROW(LiveServer{open}, Error);
  open.token = "long enough";
  EXPECT_THROW(LiveServer{open}, Error);
  const LiveServer first(quick(folder));
  LiveServerOptions taken = quick(folder);
  taken.port = first.port();
  EXPECT_THROW(LiveServer{taken}, Error);
  LiveServerOptions nowhere = quick(folder);
  nowhere.host = "192.0.2.1";
  nowhere.token = "0123456789abcdef";
  EXPECT_THROW(LiveServer{nowhere}, Error);
}

TEST(LiveServer, AsksForItsToken) {
  const fs::path folder = fresh_folder("token");
  const LiveRun run(folder, "a");
  run.append_rows(1, 1);
  LiveServerOptions options = quick(folder);
  options.host = "0.0.0.0";
  options.token = "0123456789abcdef";
  const LiveServer server(options);
  for (const char* path : {"/", "/api/runs", "/api/runs/a", "/api/runs/a/events", "/metrics", "/nothing"}) {
    for (const char* fields : {"", "Authorization: Bearer 0123456789abcdeF\r\n", "Authorization: Bearer \r\n",
                               "Authorization: 0123456789abcdef\r\n", "Authorization: Basic 0123456789abcdef\r\n"}) {
      const RawAnswer answer = get(server.port(), path, fields);
      EXPECT_EQ(answer.status, 401) << path << fields;
      EXPECT_THAT(answer.head, HasSubstr("WWW-Authenticate: Bearer"));
    }
    EXPECT_EQ(get(server.port(), std::string(path) + "?token=").status, 401);
    EXPECT_EQ(get(server.port(), std::string(path) + "?token=0123456789abcde").status, 401);
  }
  EXPECT_EQ(get(server.port(), "/api/runs", "Authorization: Bearer 0123456789abcdef\r\n").status, 200);
  EXPECT_EQ(get(server.port(), "/?token=0123456789abcdef").status, 200);
  EXPECT_EQ(RawViewer(server.port(), "/api/runs/a/events?token=0123456789abcdef").next("row").data, LiveRun::row(1));
}

}  // namespace
}  // namespace paretofl
