#include "paretofl/federation/resident_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kClient = 3;
const std::string kRun = "0123456789abcdef0123456789abcdef";

/// Adds up what it is sent, from round to round; "use" answers with what "hold" brought in the same round.
class AddingClient : public ClientHalf {
 public:
  Reply handle(const Request& request, StreamId) override {
    Reply reply;
    if (request.verb == "fail") throw Error("no such luck");
    if (request.verb == "hold") held_ = request.extra.scalar("value");
    if (request.verb == "use") sum_ += held_.value();
    reply.update = {static_cast<float>(sum_)};
    return reply;
  }
  void end_round() noexcept override { held_.reset(); }
  void save(Record& state) const override { state.scalars["sum"] = sum_; }
  void load(const Record& state) override { sum_ = state.scalar("sum"); }

 private:
  double sum_ = 0;
  std::optional<double> held_;
};

class ResidentClientTest : public testing::Test {
 protected:
  ResidentClientTest() { std::filesystem::remove_all(folder_); }

  ResidentClient start() const {
    return ResidentClient({.client = kClient,
                           .factory = [](int) { return std::make_unique<AddingClient>(); },
                           .agreed = {{"seed", "1"}, {"engine", "2"}},
                           .folder = folder_,
                           .keep = 2});
  }

  /// The random numbers of so many starts of one server.
  static std::vector<std::uint64_t> starts(std::uint64_t count) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(i * 0x9e3779b97f4a7c15U + 5);
    return numbers;
  }

  static PartyRequest request(std::uint64_t exchange, std::uint32_t round, std::string verb, double value = 0) {
    PartyRequest request{.run = kRun, .starts = starts(1), .exchange = exchange, .agreed = digest(Texts{{"seed", "1"}, {"engine", "2"}})};
    request.envelope.client = kClient;
    request.envelope.request = Request(std::move(verb));
    request.envelope.request.round = round;
    request.envelope.request.extra.scalars["value"] = value;
    return request;
  }

  static Reply ask(ResidentClient& client, const PartyRequest& request) { return decode_reply(client.answer(encode(request))); }

  /// The sum after a request that succeeds.
  static float sum(ResidentClient& client, const PartyRequest& request) {
    const Reply reply = ask(client, request);
    EXPECT_FALSE(reply.error) << *reply.error;
    return reply.update.empty() ? -1.0F : reply.update[0];
  }

  static std::string refusal(ResidentClient& client, const PartyRequest& request) {
    return ask(client, request).error.value_or("no refusal");
  }

  std::filesystem::path journal() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / kRun)) {
      if (entry.path().filename().string().starts_with("journal")) return entry.path();
    }
    return {};
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "resident_client";
};

TEST_F(ResidentClientTest, ARepeatedRequestIsAppliedOnce) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
  EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
  EXPECT_EQ(sum(client, request(3, 1, "use")), 10);
}

TEST_F(ResidentClientTest, WhatWasAnsweredSurvivesTheProcess) {
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
    EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
    ask(client, request(3, 2, "hold", 7));
  }
  ResidentClient again = start();
  EXPECT_EQ(sum(again, request(4, 2, "use")), 12) << "with what lives only within the round";
  EXPECT_EQ(sum(again, request(4, 2, "use")), 12);
  ResidentClient once_more = start();
  EXPECT_EQ(sum(once_more, request(4, 2, "use")), 12) << "a repeated request, also after the process was killed";
}

TEST_F(ResidentClientTest, WhatLivesWithinARoundEndsWithIt) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  EXPECT_THAT(refusal(client, request(2, 2, "use")), HasSubstr("bad optional access"));
}

TEST_F(ResidentClientTest, AFailureOfTheClientIsItsAnswerForGood) {
  ResidentClient client = start();
  EXPECT_EQ(refusal(client, request(1, 1, "fail")), "no such luck");
  EXPECT_EQ(refusal(client, request(1, 1, "fail")), "no such luck");
  ask(client, request(2, 1, "hold", 1));
  EXPECT_EQ(sum(client, request(3, 1, "use")), 1);
}

TEST_F(ResidentClientTest, WhatDoesNotBelongHereIsRefusedByNameAndChangesNothing) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  EXPECT_EQ(sum(client, request(4, 1, "use")), 5);

  PartyRequest other = request(5, 1, "use");
  other.envelope.client = 2;
  EXPECT_THAT(refusal(client, other), HasSubstr("expected a request to client 3, whose data this process has, found one to client 2"));
  EXPECT_THAT(refusal(client, request(2, 1, "use")), HasSubstr("expected an exchange after 4, found a stale request of exchange 2"));
  EXPECT_THAT(refusal(client, request(0, 1, "use")), HasSubstr("found a stale request of exchange 0"));
  EXPECT_THAT(refusal(client, request(4, 1, "hold")), HasSubstr("found a stale or another request of that number"));
  other = request(5, 1, "use");
  other.starts = starts(0);
  EXPECT_THAT(refusal(client, other), HasSubstr("expected at least one start of the server, found none"));
  other.starts = starts(1);
  other.run = "../../elsewhere";
  EXPECT_THAT(refusal(client, other), HasSubstr("expected a run's id of 32 hexadecimal digits, found '../../elsewhere'"));
  EXPECT_THAT(decode_reply(client.answer({})).error.value_or(""), HasSubstr("refused: message: expected"));
  EXPECT_EQ(sum(client, request(5, 1, "use")), 10);
}

TEST_F(ResidentClientTest, AServerThatDoesNotAgreeLearnsWhatThisPartyHas) {
  ResidentClient client = start();
  PartyRequest other = request(1, 1, "hold", 5);
  other.agreed = digest(Texts{{"seed", "2"}, {"engine", "2"}});
  const Reply reply = ask(client, other);
  EXPECT_THAT(reply.error.value_or(""), HasSubstr("expected a server that agrees with this party"));
  EXPECT_EQ(reply.extra.record(kPartyHas).text("seed"), "1");
}

TEST_F(ResidentClientTest, APartyThatLostItsStateSaysSo) {
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
    EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
  }
  std::filesystem::remove_all(folder_);
  ResidentClient emptied = start();
  PartyRequest next = request(3, 1, "hold", 1);
  next.previous = 2;
  EXPECT_THAT(refusal(emptied, next),
              HasSubstr("expected the state after exchange 2 here, found that after exchange 0: the party's state was lost"));
}

TEST_F(ResidentClientTest, AServerThatStartsAgainTakesUpAKeptStateOrBeginsAnew) {
  std::string name;
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
    ask(client, request(2, 1, "use"));
    Reply kept = ask(client, request(3, 0, std::string(kSaveState)));
    name = kept.extra.text("kept");
    EXPECT_TRUE(kept.extra.scalars.empty()) << "the state itself stays here";
    ask(client, request(4, 2, "hold", 7));
    EXPECT_EQ(sum(client, request(5, 2, "use")), 12);
  }
  ResidentClient client = start();
  PartyRequest load = request(1, 0, std::string(kLoadState));
  load.starts = starts(2);
  load.envelope.request.extra = {};
  load.envelope.request.extra.texts["kept"] = name;
  EXPECT_FALSE(ask(client, load).error);
  PartyRequest hold = request(2, 2, "hold", 1);
  hold.starts = starts(2);
  ask(client, hold);
  PartyRequest use = request(3, 2, "use");
  use.starts = starts(2);
  EXPECT_EQ(sum(client, use), 6) << "of round 1, and the new round 2";
  EXPECT_THAT(refusal(client, request(6, 3, "use")), HasSubstr("found a stale request of start 1"));

  ResidentClient restarted = start();
  EXPECT_EQ(sum(restarted, use), 6);
  PartyRequest anew = request(1, 1, "hold", 2);
  anew.starts = starts(3);
  EXPECT_EQ(sum(restarted, anew), 0) << "a server without a checkpoint begins with new clients";

  load.starts = starts(4);
  load.envelope.request.extra.texts["kept"] = "../state.bin";
  EXPECT_THAT(refusal(restarted, load), HasSubstr("expected the state '../state.bin' of this run among those that this party has kept"));
}

TEST_F(ResidentClientTest, TheNewestKeptStatesStay) {
  ResidentClient client = start();
  for (std::uint64_t exchange = 1; exchange <= 5; ++exchange) ask(client, request(exchange, 0, std::string(kSaveState)));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / kRun / "kept")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_THAT(names, ElementsAre("00000001-000000000004", "00000001-000000000005"));
}

TEST_F(ResidentClientTest, TheKeptStateThatTheServerNamesStays) {
  ResidentClient client = start();
  const std::string name = ask(client, request(1, 0, std::string(kSaveState))).extra.text("kept");
  for (std::uint64_t exchange = 2; exchange <= 5; ++exchange) {
    PartyRequest save = request(exchange, 0, std::string(kSaveState));
    save.envelope.request.extra.texts["kept"] = name;
    ask(client, save);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / kRun / "kept" / name));
  EXPECT_FALSE(std::filesystem::exists(folder_ / kRun / "kept" / "00000001-000000000003"));
}

// The directory of a run was copied, and a server goes on in each copy.
TEST_F(ResidentClientTest, OneOfTwoCopiesOfARunIsRefusedByName) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  PartyRequest use = request(2, 1, "use");
  use.starts = starts(2);
  ask(client, request(2, 1, "use"));
  PartyRequest anew = request(1, 1, "hold", 1);
  anew.starts = starts(2);
  EXPECT_EQ(sum(client, anew), 0);

  const auto expect_refused = [](ResidentClient& asked) {
    PartyRequest copy = request(2, 1, "hold", 9);
    copy.starts = {starts(2)[0], 0xabc};
    EXPECT_THAT(
        refusal(asked, copy),
        HasSubstr("expected start 2 of the run's server to be 9e3779b97f4a7c1a, found 0000000000000abc: another server goes on with a "
                  "copy of the run"));
    copy.starts.push_back(0xdef);  // the copy's server starts again, and others of the original's do not count
    copy.exchange = 1;
    EXPECT_THAT(refusal(asked, copy), HasSubstr("expected start 2 of the run's server"));
    EXPECT_THAT(refusal(asked, request(9, 1, "hold")), HasSubstr("found a stale request of start 1"));
  };
  expect_refused(client);
  ResidentClient restarted = start();
  expect_refused(restarted);
  EXPECT_EQ(sum(restarted, use), 1) << "the original goes on";
}

TEST_F(ResidentClientTest, EveryRunHasItsOwnState) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
  PartyRequest other = request(1, 1, "hold", 1);
  other.run = std::string(32, 'a');
  EXPECT_EQ(sum(client, other), 0);
  EXPECT_EQ(sum(client, request(3, 1, "use")), 10) << "the first run goes on";
}

TEST_F(ResidentClientTest, ARequestOfNoStartIsRefused) {
  ResidentClient client = start();
  PartyRequest save = request(1, 0, std::string(kSaveState));
  save.starts = starts(0);
  EXPECT_THAT(refusal(client, save), HasSubstr("expected at least one start of the server, found none"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / kRun));
}

TEST_F(ResidentClientTest, ADamagedStateIsNotTakenForANewClient) {
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
  }
  std::ofstream(folder_ / kRun / "state.bin") << "damaged";
  ResidentClient client = start();
  PartyRequest other = request(1, 1, "hold", 1);
  other.run = std::string(32, 'a');
  ask(client, other);
  for (int i = 0; i < 2; ++i) EXPECT_THAT(refusal(client, request(2, 1, "use")), HasSubstr("refused: message: expected"));
  EXPECT_EQ(std::filesystem::file_size(folder_ / kRun / "state.bin"), 7U);
}

// A server whose disk is full saves the clients' states again and again, and none of its checkpoints names them.
TEST_F(ResidentClientTest, TheStateThatACheckpointStandsOnOutlivesSavesThatNoCheckpointFollows) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  ask(client, request(2, 1, "use"));
  const std::string name = ask(client, request(3, 0, std::string(kSaveState))).extra.text("kept");
  for (std::uint64_t server = 2; server < 6; ++server) {
    PartyRequest load = request(1, 0, std::string(kLoadState));
    load.envelope.request.extra.texts["kept"] = name;
    load.starts = starts(server);
    EXPECT_EQ(ask(client, load).error.value_or("none"), "none");
    PartyRequest hold = request(2, 2, "hold", 7);
    hold.starts = starts(server);
    ask(client, hold);
    PartyRequest use = request(3, 2, "use");
    use.starts = starts(server);
    EXPECT_EQ(sum(client, use), 12);
    PartyRequest save = request(4, 0, std::string(kSaveState));
    save.starts = starts(server);
    EXPECT_FALSE(ask(client, save).error);
  }
}

TEST_F(ResidentClientTest, WhatWasTakenUpSurvivesTheProcessAlsoWhereItIsKeptNoMore) {
  PartyRequest load = request(1, 0, std::string(kLoadState));
  load.starts = starts(2);
  PartyRequest next = request(0, 0, std::string(kSaveState));
  next.starts = starts(2);
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
    ask(client, request(2, 1, "use"));
    load.envelope.request.extra.texts["kept"] = ask(client, request(3, 0, std::string(kSaveState))).extra.text("kept");
    EXPECT_FALSE(ask(client, load).error);
    for (next.exchange = 2; next.exchange <= 5; ++next.exchange) ask(client, next);  // it is in no cohort for a long time
  }
  ResidentClient again = start();
  next.envelope.request = Request("hold");
  next.envelope.request.round = 9;
  next.envelope.request.extra.scalars["value"] = 1;
  EXPECT_EQ(sum(again, next), 5);
}

TEST_F(ResidentClientTest, WhatACrashLeftOfAKeptStateIsNotCounted) {
  ResidentClient client = start();
  for (std::uint64_t exchange = 1; exchange <= 2; ++exchange) ask(client, request(exchange, 0, std::string(kSaveState)));
  std::ofstream(folder_ / kRun / "kept" / "00000001-000000000003.partial") << "half";
  PartyRequest load = request(1, 0, std::string(kLoadState));
  load.starts = starts(2);
  load.envelope.request.extra.texts["kept"] = "00000001-000000000003.partial";
  EXPECT_THAT(refusal(client, load), HasSubstr("found it missing"));
  PartyRequest save = request(2, 0, std::string(kSaveState));
  save.starts = starts(2);
  ask(client, save);
  EXPECT_TRUE(std::filesystem::exists(folder_ / kRun / "kept" / "00000001-000000000002"));
}

TEST_F(ResidentClientTest, ACrashLeavesNoJournalBehindForLong) {
  ResidentClient client = start();
  ask(client, request(1, 1, "hold", 5));
  std::ofstream(folder_ / kRun / "journal-000000") << "left";
  ask(client, request(2, 2, "hold", 5));
  EXPECT_FALSE(std::filesystem::exists(folder_ / kRun / "journal-000000"));
}

// Whatever a crash leaves of the last entry, the state is that before or after it.
TEST_F(ResidentClientTest, AnEntryThatWasNotFinishedWasNotAnswered) {
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
  }
  const std::uintmax_t first = std::filesystem::file_size(journal());
  {
    ResidentClient client = start();
    EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
  }
  const std::filesystem::path whole = folder_ / "whole";
  std::filesystem::copy_file(journal(), whole);
  const std::uintmax_t both = std::filesystem::file_size(whole);
  for (std::uintmax_t size = first; size <= both; ++size) {
    std::filesystem::copy_file(whole, journal(), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(journal(), size);
    ResidentClient client = start();
    EXPECT_EQ(sum(client, request(2, 1, "use")), 5);
    EXPECT_EQ(std::filesystem::file_size(journal()), both);
  }
}

TEST_F(ResidentClientTest, ADamagedJournalIsAnError) {
  {
    ResidentClient client = start();
    ask(client, request(1, 1, "hold", 5));
    ask(client, request(2, 1, "use"));
  }
  std::fstream file(journal(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(60);
  file.put('!');
  file.close();
  ResidentClient client = start();
  EXPECT_THAT(refusal(client, request(3, 1, "use")), HasSubstr("refused: party's journal: expected whole entries in"));
  EXPECT_THAT(refusal(client, request(3, 1, "use")), HasSubstr("refused: party's journal: expected whole entries in"));
  PartyRequest anew = request(1, 1, "hold", 2);
  anew.starts = starts(2);
  anew.previous = 7;
  EXPECT_THAT(refusal(client, anew), HasSubstr("the party's state was lost"));
  EXPECT_THAT(refusal(client, request(3, 1, "use")), HasSubstr("refused: party's journal: expected whole entries in"));
  anew.previous = 0;
  EXPECT_EQ(sum(client, anew), 0) << "a server that starts again needs nothing of it";
}

/// Else a request could be made like one of an earlier start, whose masks and noise it would get.
TEST_F(ResidentClientTest, AStartOfTheServerComesOnce) {
  ResidentClient client = start();
  sum(client, request(1, 1, "hold", 2));
  PartyRequest again = request(1, 1, "hold", 2);
  again.starts = starts(2);
  sum(client, again);
  again.starts = {starts(2)[0], starts(2)[1], starts(2)[0]};
  EXPECT_THAT(refusal(client, again), HasSubstr("expected starts of the run's server with numbers of their own"));
}

/// A folder of states that belongs to another client, or whose data have changed since.
TEST_F(ResidentClientTest, AStateIsOfItsClientAndData) {
  const auto refused = [&](int now, const std::string& data) {
    std::filesystem::remove_all(folder_);
    const auto with = [&](int number, const std::string& of) {
      return ResidentClient({.client = number,
                             .factory = [](int) { return std::make_unique<AddingClient>(); },
                             .agreed = {{"seed", "1"}, {"engine", "2"}},
                             .data = of,
                             .folder = folder_,
                             .keep = 2});
    };
    {
      ResidentClient first = with(kClient, "data a");
      sum(first, request(1, 1, "hold", 2));
    }
    ResidentClient second = with(now, data);
    PartyRequest next = request(2, 2, "hold", 2);
    next.envelope.client = now;
    return refusal(second, next);
  };
  EXPECT_THAT(refused(kClient, "data a"), HasSubstr("no refusal"));
  EXPECT_THAT(refused(kClient, "data b"), HasSubstr("expected the data that the run began with, found others"));
  EXPECT_THAT(refused(kClient + 1, "data a"), HasSubstr("expected that of client 4"));
}

}  // namespace
}  // namespace paretofl
