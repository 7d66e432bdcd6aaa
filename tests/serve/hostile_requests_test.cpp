#include <gmock/gmock.h>

#include <algorithm>

#include "paretofl/serve/access.h"
#include "paretofl/serve/request_head.h"
#include "paretofl/serve/route.h"
#include "tests/serve/http_client.h"
#include "tests/serve/live_run.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> hostile_requests() {
  std::vector<std::string> requests;
  for (const char* path : {"/api/runs/../secret",
                           "/api/runs/..%2fsecret",
                           "/api/runs/%2e%2e/secret",
                           "/api/runs/%2e%2e%2fsecret",
                           "/api/runs/..",
                           "/api/runs/.",
                           "/api/runs/%252e%252e%252fsecret",
                           "/api/runs/..%5csecret",
                           "/api/runs/..\\secret",
                           "/api/runs/a/../../secret",
                           "/api/runs/a%00",
                           "/api/runs/a%00/events",
                           "/api/runs/%00",
                           "/../../../../etc/passwd",
                           "/%2e%2e/%2e%2e/etc/passwd",
                           "/etc/passwd",
                           "//etc/passwd",
                           "/api/runs//etc/passwd",
                           "/api/runs/%2fetc%2fpasswd",
                           "/api/runs/a/metrics.jsonl",
                           "/api/runs/a%2fmetrics.jsonl",
                           "/api/runs/a/events/",
                           "/api/runs/",
                           "/api/runs/%c0%ae%c0%ae%c0%afsecret",
                           "/api/runs/%uff0e%uff0e%u2215secret",
                           "/api/runs/%",
                           "/api/runs/%zz",
                           "/api/runs/secret",
                           "/api/runs/a/events?after=..%2f..%2fsecret",
                           "/api/runs/a/events?after=1-zz",
                           "http://evil/",
                           "*",
                           "/api/runs/a;/events",
                           "/.git/config",
                           "/favicon.ico",
                           "/api"}) {
    requests.push_back(get_request(path));
  }
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PRI", "FOO", "get", ""}) {
    requests.push_back(std::string(method) + " /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\nabc");
  }
  for (const char* host : {"evil.example", "127.0.0.1.evil.example", "evil.example:80", "localhost.evil", "", "127.0.0.1:80:80",
                           "128.0.0.1", "0.0.0.0", "[::2]", "127.0.0.1:x", "127.0.0.1@evil", "2130706433", "[::1].evil"}) {
    requests.push_back(std::string("GET /api/runs HTTP/1.1\r\nHost: ") + host + "\r\n\r\n");
  }
  for (const char* text :
       {"GET /api/runs HTTP/1.1\r\n\r\n", "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
        "GET /api/runs HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n", "GET /api/runs\r\nHost: 127.0.0.1\r\n\r\n", "GET  /api/runs HTTP/1.1\r\n\r\n",
        "\r\n\r\n", "GET /api/runs HTTP/1.1\nHost: 127.0.0.1\n\n", "GET /\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "GET /api/runs HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n", "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n folded\r\n\r\n",
        "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nno colon\r\n\r\n", "GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n: x\r\n\r\n",
        "garbage\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET /api/runs HTTP/1.1 extra\r\nHost: 127.0.0.1\r\n\r\n"}) {
    requests.emplace_back(text);
  }
  requests.push_back("GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a" + std::string(1, '\0') + "b\r\n\r\n");
  requests.push_back("GET /api/runs" + std::string(1, '\0') + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  requests.push_back("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  requests.push_back(get_request("/api/runs", "X: " + std::string(20000, 'a') + "\r\n"));
  requests.push_back(get_request("/api/runs", "Authorization: " + std::string(15000, 'a') + "\r\n"));
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "X: 1\r\n";
  requests.push_back(get_request("/api/runs", many));
  requests.emplace_back(1 << 20, 'a');
  requests.emplace_back("");
  return requests;
}

TEST(HostileRequests, AreRefusedAndTheServerLivesOn) {
  const std::filesystem::path parent = fresh_folder("hostile");
  const LiveRun secret(parent, "secret");
  secret.append("{\"round\":1,\"text\":\"SECRET\"}\n");
  const LiveRun run(parent / "runs", "a");
  run.append_rows(1, 2);
  const LiveServer server(quick(parent / "runs"));
  const std::vector<std::string> requests = hostile_requests();
  EXPECT_GE(requests.size(), 50u);
  for (const std::string& request : requests) {
    const RawAnswer answer = answer_to(server.port(), request);
    EXPECT_TRUE(answer.status == 0 || (answer.status >= 400 && answer.status < 500)) << request.substr(0, 200) << " => " << answer.status;
    EXPECT_THAT(answer.head + answer.body, Not(HasSubstr("SECRET")));
    EXPECT_THAT(answer.head + answer.body, Not(HasSubstr("root:")));
  }
  EXPECT_EQ(get(server.port(), "/api/runs").status, 200);
}

TEST(HostileRequests, WhatFollowsARequestIsNotAnswered) {
  const std::filesystem::path folder = fresh_folder("pipelined");
  const LiveServer server(quick(folder));
  const std::string answer = [&] {
    RawConnection connection(server.port());
    connection.send(get_request("/api/runs") + get_request("/metrics") + "garbage\r\n\r\n" + std::string(100000, 'x'));
    connection.end();
    return connection.read_all();
  }();
  EXPECT_EQ(parse_answer(answer).status, 200);
  EXPECT_EQ(answer.find("HTTP/1.1"), answer.rfind("HTTP/1.1"));
}

TEST(HostileRequests, ThoseWhoSayNothingAreInNobodysWay) {
  const std::filesystem::path folder = fresh_folder("silent");
  const LiveServer server(quick(folder));
  std::vector<std::unique_ptr<RawConnection>> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(std::make_unique<RawConnection>(server.port()));
    silent.back()->send("GET / HTT");
  }
  EXPECT_EQ(get(server.port(), "/api/runs").status, 200);
  for (const auto& connection : silent) connection->end();
}

TEST(HostileRequests, FurtherConnectionsAreRefused) {
  const std::filesystem::path folder = fresh_folder("crowd");
  const LiveServer server(quick(folder));
  std::vector<std::unique_ptr<RawConnection>> crowd;
  for (int i = 0; i < HttpServer::kMaxConnections; ++i) crowd.push_back(std::make_unique<RawConnection>(server.port()));
  const int status = get(server.port(), "/api/runs").status;
  EXPECT_TRUE(status == 503 || status == 0) << status;
  crowd.clear();
  int free = 0;
  while (free != 200) free = get(server.port(), "/api/runs").status;
}

TEST(UsedHead, KeepsWhatIsUsed) {
  EXPECT_EQ(used_head("GET / HTTP/1.1\r\nhost: a\r\nRange: bytes=0-\r\nX: \xc3\xa4\r\nLAST-EVENT-ID: 3\r\n\r\n"),
            "GET / HTTP/1.1\r\nhost: a\r\nLAST-EVENT-ID: 3\r\n\r\n");
  EXPECT_FALSE(used_head("GET / HTTP/1.1\r\nHost: a\r\n"));
  EXPECT_FALSE(used_head("GET / HTTP/1.1\r\nHost: a\nb\r\n\r\n"));
}

TEST(Routes, AreThoseAndNoOther) {
  EXPECT_EQ(Route::of("/").kind, Route::Kind::kPage);
  EXPECT_EQ(Route::of("/metrics").kind, Route::Kind::kMetrics);
  EXPECT_EQ(Route::of("/api/runs").kind, Route::Kind::kRuns);
  EXPECT_EQ(Route::of("/api/runs/events").kind, Route::Kind::kRun);
  EXPECT_EQ(Route::of("/api/runs/a b").run, "a b");
  EXPECT_EQ(Route::of("/api/runs/a/events").kind, Route::Kind::kEvents);
  EXPECT_EQ(Route::of("/api/runs/a/events").run, "a");
  for (const char* path :
       {"", "/api", "/api/runsx", "/api/runs/", "/api/runs//events", "/api/runs/a/b", "/metrics/", "/api/runs/../events"}) {
    EXPECT_EQ(Route::of(path).kind, Route::Kind::kUnknown) << path;
  }
}

TEST(Access, TellsLoopbackFromTheRest) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"}) EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "", "192.168.0.1", "127.0.0.1.evil", "127.1", "example"})
    EXPECT_FALSE(is_loopback(host)) << host;
  for (const char* host : {"127.0.0.1", "127.0.0.1:80", "localhost", "localhost:8000", "[::1]", "[::1]:80"})
    EXPECT_TRUE(is_own_host(host)) << host;
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("", "abc"));
}

}  // namespace
}  // namespace paretofl
