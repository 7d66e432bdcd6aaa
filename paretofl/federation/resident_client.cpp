#include "paretofl/federation/resident_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "paretofl/core/build_facts.h"
#include "paretofl/core/error.h"
#include "paretofl/privacy/masked_client.h"
#include "paretofl/secure_sums/secure_sum.h"
#include "paretofl/wire/message.h"
#include "paretofl/wire/sendable.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhat = "party's state";
constexpr const char* kStateFile = "state.bin";
constexpr const char* kJournals = "journal-";
constexpr std::size_t kRunIdLength = 32;

Reply error_reply(int client, std::string reason) {
  Reply reply;
  reply.client = client;
  reply.error = std::move(reason);
  return reply;
}

/// A run's id names a folder.
bool is_run_id(const std::string& run) {
  return run.size() == kRunIdLength && run.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  expect(!error, "{}: expected to make {}, found: {}", kWhat, folder.string(), error.message());
}

/// Whether a verb belongs to a round: others may come between rounds.
bool is_of_round(const Request& request) { return request.verb != kSaveState && request.verb != kLoadState && request.verb != kHello; }

/// The names of the files in a folder that begin with `prefix` and are whole, in order; none where the folder is absent.
std::vector<std::string> names_in(const fs::path& folder, std::string_view prefix) {
  std::vector<std::string> names;
  if (!fs::exists(folder)) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && !name.ends_with(DurableFile::kPartial)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

ResidentClient::ResidentClient(ResidentClientOptions options) : options_(std::move(options)) {
  expect(options_.keep >= 1, "{}: expected to keep at least 1, found {}", kWhat, options_.keep);
  make_folder(options_.folder);
}

fs::path ResidentClient::journal_file() const { return run_folder() / fmt::format("{}{:06}", kJournals, position_.journal); }

std::vector<std::byte> ResidentClient::answer(std::span<const std::byte> bytes) {
  try {
    const PartyRequest request = decode_party_request(bytes);
    const int client = request.envelope.client;
    expect(client == options_.client, "expected a request to client {}, whose data this process has, found one to client {}",
           options_.client, client);
    if (request.agreed != digest(options_.agreed)) {
      Reply reply = error_reply(options_.client, "refused: expected a server that agrees with this party on engine, settings and problem");
      reply.extra.records[std::string(kPartyHas)].texts = {options_.agreed.begin(), options_.agreed.end()};
      return encode(reply);
    }
    expect(is_run_id(request.run), "expected a run's id of {} hexadecimal digits, found '{:.40}'", kRunIdLength, request.run);
    expect(!request.starts.empty(), "expected at least one start of the server, found none");
    if (host_ == nullptr || position_.run != request.run) restore(request.run, request.starts);
    if (const auto reason = refusal(request)) throw Error(*reason);
    if (request.starts.size() != position_.starts.size() || request.exchange != position_.exchange) return apply(request, bytes);
    expect(std::equal(bytes.begin(), bytes.end(), last_.request.begin(), last_.request.end()),
           "expected exchange {} again as it was answered, found a stale or another request of that number", request.exchange);
    return last_.reply;
  } catch (const std::exception& failure) {
    return encode(error_reply(options_.client, std::string("refused: ") + failure.what()));
  }
}

std::optional<std::string> ResidentClient::refusal(const PartyRequest& request) const {
  const auto [known, theirs] =
      std::mismatch(position_.starts.begin(), position_.starts.end(), request.starts.begin(), request.starts.end());
  const std::size_t same = static_cast<std::size_t>(known - position_.starts.begin());
  if (same < position_.starts.size() && same < request.starts.size()) {
    return fmt::format("expected start {} of the run's server to be {:016x}, found {:016x}: another server goes on with a copy of the run",
                       same + 1, *known, *theirs);
  }
  // An occasion (kOccasion) names the last start alone.
  const std::set<std::uint64_t> distinct(request.starts.begin(), request.starts.end());
  if (distinct.size() < request.starts.size()) return "expected starts of the run's server with numbers of their own, found one twice";
  if (same < position_.starts.size()) {
    return fmt::format("expected the server's start {} or a later one, found a stale request of start {}", position_.starts.size(),
                       request.starts.size());
  }
  const std::uint64_t done = request.starts.size() == position_.starts.size() ? position_.exchange : 0;
  if (request.exchange < done || request.exchange == 0) {
    return fmt::format("expected an exchange after {}, found a stale request of exchange {}", done, request.exchange);
  }
  if (request.previous > done) {
    return fmt::format("expected the state after exchange {} here, found that after exchange {}: the party's state was lost",
                       request.previous, done);
  }
  return {};
}

std::vector<std::byte> ResidentClient::apply(const PartyRequest& request, std::span<const std::byte> bytes) {
  try {
    const bool new_start = request.starts.size() != position_.starts.size();
    const bool of_round = is_of_round(request.envelope.request);
    if (new_start) host_ = new_host();
    // A save ends a round too, and a journal that went on after it might ask for a kept state that is kept no more.
    const bool saves = request.envelope.request.verb == kSaveState;
    if (new_start || saves || (of_round && position_.round != request.envelope.request.round)) begin_journal(request);
    if (of_round) position_.round = request.envelope.request.round;
    RequestJournal::Entry entry{{bytes.begin(), bytes.end()}, encode(serve(request))};
    journal_->append(entry);
    position_.exchange = request.exchange;
    last_ = std::move(entry);
    return last_.reply;
  } catch (const std::exception& failure) {
    host_ = nullptr;  // memory may be ahead of the disk
    return encode(error_reply(options_.client, failure.what()));
  }
}

Reply ResidentClient::serve(const PartyRequest& request) {
  const std::string& verb = request.envelope.request.verb;
  if (verb == kSaveState) return keep_state(request);
  if (verb == kLoadState) return take_up_state(request.envelope);
  if (verb == kHello) {
    Reply reply;
    reply.client = options_.client;
    reply.extra.texts.emplace(std::string(kBuild), build_text());
    return reply;
  }
  Envelope envelope = request.envelope;
  const auto secure_sum = envelope.request.extra.records.find(SecureSum::kRecord);
  if (secure_sum != envelope.request.extra.records.end()) {
    secure_sum->second.texts.insert_or_assign(kOccasion,
                                              fmt::format("{} {:016x} {}", request.run, request.starts.back(), request.exchange));
  }
  return sendable(host_->handle(envelope));
}

Reply ResidentClient::keep_state(const PartyRequest& request) {
  Reply reply = host_->handle(request.envelope);
  if (reply.error) return reply;
  const std::vector<std::byte> state = encode(reply.extra);
  const fs::path folder = run_folder() / std::string(kKept);
  make_folder(folder);
  // In the order of their names they are in the order of time.
  const std::string name = fmt::format("{:08}-{:012}", request.starts.size(), request.exchange);
  DurableFile::replace(kWhat, folder / name, state);
  std::vector<std::string> names = names_in(folder, "");
  // Where earlier replies came too late, the server's checkpoints stand on an old one.
  const auto needed = request.envelope.request.extra.texts.find(kKept);
  if (needed != request.envelope.request.extra.texts.end()) std::erase(names, needed->second);
  for (std::size_t i = 0; i + options_.keep < names.size(); ++i) fs::remove(folder / names[i]);
  reply.extra = {};
  reply.extra.texts.emplace(std::string(kKept), name);
  return reply;
}

Reply ResidentClient::take_up_state(const Envelope& envelope) {
  const auto found = envelope.request.extra.texts.find(kKept);
  if (found == envelope.request.extra.texts.end())
    return error_reply(options_.client, "expected the name of a state that this party has kept");
  const std::string& name = found->second;
  const fs::path folder = run_folder() / std::string(kKept);
  const std::vector<std::string> names = names_in(folder, "");
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) {
    return error_reply(options_.client,
                       fmt::format("expected the state '{:.40}' of this run among those that this party has kept, found it missing", name));
  }
  Envelope kept = envelope;
  kept.request.extra = decode_state(DurableFile::read(kWhat, folder / name));
  Reply reply = host_->handle(kept);
  if (reply.error) return reply;
  // The server has no checkpoint that stands on a later one; they must not crowd out those that it has.
  for (auto later = std::next(place); later != names.end(); ++later) fs::remove(folder / *later);
  return reply;
}

void ResidentClient::begin_journal(const PartyRequest& request) {
  Record state;
  state.texts = {{"run", request.run}, {"data", options_.data}};
  state.scalars = {{"client", options_.client}};
  const bool same_start = request.starts.size() == position_.starts.size();
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(same_start ? position_.exchange : 0),
                                    static_cast<std::int64_t>(position_.journal + 1)};
  for (const std::uint64_t start : request.starts) numbers.push_back(static_cast<std::int64_t>(start));
  state.arrays.emplace("position", Array(std::span<const std::int64_t>(numbers)));
  Reply saved = host_->handle({options_.client, Request(std::string(kSaveState))});
  if (saved.error) throw Error(*saved.error);
  state.records.emplace("client", std::move(saved.extra));

  make_folder(run_folder());
  ++position_.journal;
  fs::remove(journal_file());  // what a crash left before the state named it
  journal_.emplace(journal_file(), [](const RequestJournal::Entry&) {});
  DurableFile::replace(kWhat, run_folder() / kStateFile, encode(state));
  for (const std::string& name : names_in(run_folder(), kJournals)) {
    if (name != journal_file().filename()) fs::remove(run_folder() / name);
  }
  position_.exchange = static_cast<std::uint64_t>(numbers[0]);
  position_.starts = request.starts;
  position_.round.reset();
}

void ResidentClient::restore(const std::string& run, std::span<const std::uint64_t> starts) {
  host_ = nullptr;  // whatever fails below is tried again at the next request
  position_ = {.run = run, .round = {}};
  journal_.reset();
  last_ = {};
  auto host = new_host();
  const fs::path file = run_folder() / kStateFile;
  if (fs::exists(file)) {
    const Record state = decode_state(DurableFile::read(kWhat, file));
    const auto numbers = state.array("position").ints();
    expect(state.text("run") == run && numbers.size() >= 3, "{}: expected the state of run {} in {}, found another", kWhat, run,
           file.string());
    const auto owner = state.scalars.find("client");  // absent where an older version wrote it, as is the fingerprint
    expect(owner == state.scalars.end() || owner->second == options_.client,
           "{}: expected that of client {} in {}, found that of client {}", kWhat, options_.client, file.string(),
           owner == state.scalars.end() ? 0 : owner->second);
    const auto data = state.texts.find("data");
    expect(data == state.texts.end() || data->second == options_.data, "{}: expected the data that the run began with, found others",
           kWhat);  // without fingerprints, since the server reads it
    position_.exchange = static_cast<std::uint64_t>(numbers[0]);
    position_.journal = static_cast<std::uint64_t>(numbers[1]);
    for (const std::int64_t number : numbers.subspan(2)) position_.starts.push_back(static_cast<std::uint64_t>(number));
    if (position_.starts.size() < starts.size()) return;
    Envelope load{options_.client, Request(std::string(kLoadState))};
    load.request.extra = state.record("client");
    const Reply loaded = host->handle(load);
    expect(!loaded.error, "{}: expected to take up {}, found: {}", kWhat, file.string(), loaded.error.value_or(""));
    host_ = std::move(host);
    try {
      journal_.emplace(journal_file(), [this](RequestJournal::Entry entry) { replay(std::move(entry)); });
    } catch (...) {
      host_ = nullptr;
      throw;
    }
    return;
  }
  host_ = std::move(host);
}

void ResidentClient::replay(RequestJournal::Entry entry) {
  const PartyRequest request = decode_party_request(entry.request);
  const Reply again = serve(request);
  const Reply before = decode_reply(entry.reply);
  expect(again.error == before.error, "{}: expected to answer exchange {} as before ({}), found: {}", kWhat, request.exchange,
         before.error.value_or("no error"), again.error.value_or("no error"));
  position_.exchange = request.exchange;
  if (is_of_round(request.envelope.request)) position_.round = request.envelope.request.round;
  last_ = std::move(entry);
}

}  // namespace paretofl
