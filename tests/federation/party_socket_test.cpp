#include "paretofl/federation/party_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/parties.h"
#include "paretofl/runtimes/sockets.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSocket = std::filesystem::path(testing::TempDir()) / "party-3";

/// Serves in a thread until it is told to end; SIGTERM goes to the thread of asio.
class Serving {
 public:
  explicit Serving(Answerer answer) : answer_(std::move(answer)) {
    thread_ = std::thread([this] { signal_ = serve_party_socket(kSocket, answer_, [this] { ready_.set_value(); }); });
    ready_.get_future().wait();
  }
  int end() {
    ::kill(::getpid(), SIGTERM);
    thread_.join();
    return signal_;
  }

 private:
  Answerer answer_;
  std::promise<void> ready_;
  std::thread thread_;
  int signal_ = 0;
};

TEST(PartySocket, AnswersOnASocketOfItsOwnersAlone) {
  Serving serving([](std::span<const std::byte> bytes) {
    const PartyRequest request = decode_party_request(bytes);
    Reply reply;
    reply.client = request.envelope.client;
    reply.update = *request.envelope.request.parameters;
    return encode(reply);
  });
  struct stat found {};
  ASSERT_EQ(::stat(kSocket.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
  EXPECT_THROW(serve_party_socket(
                   kSocket, [](auto) { return std::vector<std::byte>(); }, [] {}),
               Error)
      << "another listens";

  ThreadPool pool(1);
  const std::string sockets = (std::filesystem::path(testing::TempDir()) / "party-{client}").string();
  const auto runtime = make_sockets_runtime({.sockets = sockets, .reconnect_seconds = 0}, pool, {});
  const std::vector<float> theta(5'000'000, 0.5F);  // more than one piece
  std::vector<Envelope> envelopes;
  for (const int client : {3, 4}) envelopes.push_back({client, Request("echo").with(theta)});
  std::vector<int> passed_on;
  const Exchange exchange = runtime->exchange(envelopes, [&](Reply& reply) { passed_on.push_back(reply.client); });
  EXPECT_EQ(exchange.replies[0].error.value_or("none"), "none");
  EXPECT_EQ(exchange.replies[0].update, theta);
  EXPECT_THAT(exchange.replies[1].error.value_or("none"), HasSubstr("can't be reached at"));
  EXPECT_THAT(exchange.replies[1].error.value_or("none"), HasSubstr("No such file or directory"));
  EXPECT_THAT(passed_on, testing::ElementsAre(3, 4));
  EXPECT_EQ(serving.end(), SIGTERM);
  EXPECT_FALSE(std::filesystem::exists(kSocket));
}

/// Carries nothing, and waits for the deadline.
class SilentParties : public PartiesRuntime {
 public:
  using PartiesRuntime::PartiesRuntime;

 protected:
  void carry(PartyExchange& exchange) override {
    while (!exchange.over()) std::this_thread::yield();
  }
};

TEST(Parties, WithoutADeadlineAnExchangeEndsAfterTheLongestTime) {
  SilentParties runtime({.longest_seconds = 0.1});
  const std::vector<Envelope> envelopes{{3, Request("train")}};
  const Exchange exchange = runtime.exchange(envelopes, {}, {});
  EXPECT_EQ(exchange.replies[0], Reply::late(3, Lateness::kDeadline));
}

TEST(Parties, SilentOnesDoNotHoldUpTheStart) {
  SilentParties runtime({.patience_seconds = 0.1});
  try {
    runtime.begin({.run = std::string(32, 'a'), .starts = {1}, .agreed = {}, .num_clients = 2});
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a party to answer, found none of 2; client 0: "));
  }
}

/// Can't reach client 0; client 1 answers that it has no such state.
class PartlyReachedParties : public PartiesRuntime {
 public:
  using PartiesRuntime::PartiesRuntime;

 protected:
  void carry(PartyExchange& exchange) override {
    exchange.failed(0, "no route");
    Reply reply;
    reply.client = 1;
    reply.error = "lost";
    exchange.answered(1, encode(reply));
  }
};

TEST(Parties, WhoCannotBeReachedToTakeUpItsStateIsAwayAndWhoRefusesIsNot) {
  PartlyReachedParties runtime(RuntimeOptions{});
  for (const std::string_view verb : {kLoadState, std::string_view("train")}) {
    const std::vector<Envelope> envelopes{{0, Request(std::string(verb))}, {1, Request(std::string(verb))}};
    const Exchange exchange = runtime.exchange(envelopes, {}, {});
    EXPECT_EQ(exchange.replies[0].error, "no route");
    EXPECT_EQ(exchange.replies[0].lateness, verb == kLoadState ? Lateness::kDeadline : Lateness::kInTime);
    EXPECT_EQ(exchange.replies[1].error, "lost");
    EXPECT_EQ(exchange.replies[1].lateness, Lateness::kInTime);
  }
}

/// Answers "save_state" with the name "one", and notes what it was asked.
class NamingParties : public PartiesRuntime {
 public:
  using PartiesRuntime::PartiesRuntime;

  std::vector<Record> asked;
  bool late = false;

 protected:
  void carry(PartyExchange& exchange) override {
    asked.push_back(decode_party_request(exchange.request(0)).envelope.request.extra);
    Reply reply;
    reply.client = exchange.client(0);
    reply.extra.texts["kept"] = late ? "two" : "one";
    while (late && !exchange.over()) std::this_thread::yield();
    exchange.answered(0, encode(reply));
  }
};

TEST(Parties, ASaveNamesTheStateThatWasAnsweredLast) {
  NamingParties runtime(RuntimeOptions{});
  const std::vector<Envelope> save{{3, Request(std::string(kSaveState))}};
  runtime.exchange(save, {}, {});
  runtime.late = true;
  runtime.exchange(save, {}, {.deadline = std::chrono::duration<double>(0)});
  runtime.late = false;
  runtime.exchange(save, {}, {});
  EXPECT_TRUE(runtime.asked[0].texts.empty());
  EXPECT_EQ(runtime.asked[1].text("kept"), "one");
  EXPECT_EQ(runtime.asked[2].text("kept"), "one") << "what came late is not known";
}

TEST(PartySocket, APathThatIsNoSocketIsAnError) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "party_file";
  std::ofstream(file) << "precious";
  const auto failure = [](const std::filesystem::path& path) {
    try {
      serve_party_socket(
          path, [](auto) { return std::vector<std::byte>(); }, [] {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(failure(file), HasSubstr("to be absent or a socket, found something else"));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_THAT(failure(std::string(200, 'x')), HasSubstr("expected a path of 1 to 107 bytes, found 200"));
  EXPECT_THAT(failure("/nowhere/at/all"), HasSubstr("expected to listen on /nowhere/at/all, found: No such file or directory"));
}

}  // namespace
}  // namespace paretofl
