#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/client.h"
#include "paretofl/core/texts.h"
#include "paretofl/federation/request_journal.h"
#include "paretofl/wire/party_request.h"

namespace paretofl {

struct ResidentClientOptions {
  int client = 0;
  ClientFactory factory = {};
  double dropout_rate = 0;            ///< as ClientHost says
  Texts agreed = {};                  ///< what all parties must have alike
  std::string data = {};              ///< fingerprint of the party's data, which does not leave it; empty where there is none
  std::filesystem::path folder = {};  ///< of the states; made if it is missing
  std::size_t keep = 4;               ///< how many of the newest states that checkpoints stand on remain on disk, at least 1
};

/// One client as its party's process has it. Each request is applied at most once: a repeated one gets the same reply, and one that does
/// not belong here (of another client, run, federation or an earlier exchange) is refused and changes nothing. What was answered is on
/// disk, so that a process that was killed goes on from there with the same bits.
///
/// A run has a folder of its own, with the client's state at the beginning or end of a round and a journal of what was answered since;
/// answering that again rebuilds also the state that lives only within a round. The states that the server's checkpoints stand on never
/// leave the party: "save_state" keeps the state in the folder and replies with its name, and "load_state" with that name takes it
/// up again and removes the later ones, on which no checkpoint stands. When the server starts again, it takes up a kept state in its first
/// exchange, or the client begins anew.
///
/// Not thread-safe.
class ResidentClient {
 public:
  /// Throws Error unless the folder can be made.
  explicit ResidentClient(ResidentClientOptions options);

  /// Answers encode(PartyRequest) with encode(Reply). A refusal is an error reply; where parties do not agree, its record holds
  /// what this one has under kPartyHas. If the answer can't be kept on disk, it is an error reply too, and the request counts as not
  /// applied.
  std::vector<std::byte> answer(std::span<const std::byte> request);

 private:
  /// Where the client stands in a run.
  struct Position {
    std::string run;
    std::vector<std::uint64_t> starts = {};  ///< of the server, as PartyRequest has them
    std::uint64_t exchange = 0;
    std::uint64_t journal = 0;           ///< number of the journal's file
    std::optional<std::uint32_t> round;  ///< of the journal's requests
  };

  /// Why the request is refused; nothing if it isn't.
  std::optional<std::string> refusal(const PartyRequest& request) const;
  std::vector<std::byte> apply(const PartyRequest& request, std::span<const std::byte> bytes);
  Reply serve(const PartyRequest& request);
  Reply keep_state(const PartyRequest& request);
  Reply take_up_state(const Envelope& envelope);
  /// Writes the client's state of now, with an empty journal.
  void begin_journal(const PartyRequest& request);
  /// Takes up what is on disk of the run, for a request of the last of the server's `starts`; a fresh client where nothing is. What is of
  /// an earlier start is left alone, because the client begins anew.
  void restore(const std::string& run, std::span<const std::uint64_t> starts);
  void replay(RequestJournal::Entry entry);
  std::unique_ptr<ClientHost> new_host() const { return std::make_unique<ClientHost>(options_.factory, options_.dropout_rate); }
  std::filesystem::path run_folder() const { return options_.folder / position_.run; }
  std::filesystem::path journal_file() const;

  ResidentClientOptions options_;
  Position position_;
  std::unique_ptr<ClientHost> host_;  ///< null before the first request, after a failure on disk, and where a new start makes it
  std::optional<RequestJournal> journal_;
  RequestJournal::Entry last_;
};

}  // namespace paretofl
