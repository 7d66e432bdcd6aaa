#include "paretofl/secure_sums/secure_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/secure_sums/mask_graph.h"
#include "paretofl/secure_sums/mask_stream.h"
#include "paretofl/secure_sums/masking_client.h"
#include "paretofl/secure_sums/secret_shares.h"

namespace paretofl {
namespace {

constexpr std::size_t kFewest = 3;

std::string fresh_name(std::uint32_t round) {
  std::string name = fmt::format("sum in round {}, ", round);
  const Secret nonce = Secret::random();
  for (const std::uint8_t byte : nonce.bytes().first<16>()) name += fmt::format("{:02x}", byte);
  return name;
}

[[noreturn]] void abandon(const Round& round, const std::string& why) {
  throw RoundAbandoned(fmt::format("round {}: secure sum: {}", round.number(), why));
}

}  // namespace

/// One sum, from exchange to exchange.
struct SecureSum::Run {
  const SecureSumOptions& options;
  Round& round;
  std::string name;
  std::map<int, MaskingKeys> keys = {};
  std::map<int, std::vector<int>> graph = {};     ///< neighbours that sent keys
  std::map<int, SealedShares> shares = {};        ///< of those who shared
  std::map<int, std::vector<int>> partners = {};  ///< of those who are asked for values: neighbours that shared
  std::map<int, std::size_t> threshold_of = {};
  MaskedSum result = {};

  /// What belongs to the sum, for the record of a request.
  Record told(Record record) const {
    record.texts.emplace(kName, name);
    return record;
  }
  Envelope envelope(int client, Request request, Record record) const {
    request.extra.records.emplace(kRecord, told(std::move(record)));
    return {client, std::move(request)};
  }
  std::size_t threshold(std::size_t neighbours) const {
    const auto wanted = static_cast<std::size_t>(std::ceil(options.threshold * static_cast<double>(neighbours) - 1e-9));
    return std::max(neighbours / 2 + 1, wanted);
  }
  void expect_enough(std::size_t clients, const char* which) const {
    if (clients < kFewest) abandon(round, fmt::format("expected at least {} clients{}, found {}", kFewest, which, clients));
  }
  bool answered(int client) const { return std::binary_search(result.cohort.clients.begin(), result.cohort.clients.end(), client); }

  void gather_keys(const Cohort& cohort) {
    Request request(kKeysVerb);
    request.extra.records.emplace(kRecord, told({}));
    const KeyPair tried{Secret::random()};
    for (const Reply& reply : round.broadcast(cohort, request)) {
      with_message(reply.client, kKeysVerb, [&] {
        const MaskingKeys own = MaskingKeys::load(reply.extra);
        // A key that makes no secret would fail the client's neighbours.
        for (const PublicKey& key : {own.sealing, own.masking}) tried.shared_with(key);
        keys.emplace(reply.client, own);
      });
    }
    expect_enough(keys.size(), " that send keys");
    std::vector<int> clients;
    for (const auto& [client, own] : keys) clients.push_back(client);
    graph = mask_graph(clients, options.neighbours, round.random("neighbours of a secure sum"));
  }

  /// Who sends what can't be used counts as one who sends nothing.
  template <class Use>
  void with_message(int client, const char* verb, const Use& use) {
    try {
      use();
    } catch (const Error& error) {
      round.note_failure({client, verb, error.what()});
    }
  }

  SealedShares shares_of(const Reply& reply) const {
    SealedShares own = SealedShares::load(reply.extra);
    const std::vector<int>& neighbours = graph.at(reply.client);
    const auto is_of = [&](const auto& share) { return std::binary_search(neighbours.begin(), neighbours.end(), share.first); };
    expect(own.by_client.size() == neighbours.size() && std::all_of(own.by_client.begin(), own.by_client.end(), is_of) &&
               !own.commitment.empty(),
           "secure sum: expected a share for each of {} neighbours, found {}", neighbours.size(), own.by_client.size());
    return own;
  }

  void gather_shares() {
    std::vector<Envelope> envelopes;
    for (const auto& [client, neighbours] : graph) {
      MaskingSetup setup{threshold(neighbours.size()), {}};
      for (const int neighbour : neighbours) setup.neighbours.emplace(neighbour, keys.at(neighbour));
      threshold_of[client] = setup.threshold;
      envelopes.push_back(envelope(client, Request(kSharesVerb), setup.save()));
    }
    for (const Reply& reply : round.exchange(std::move(envelopes))) {
      with_message(reply.client, kSharesVerb, [&] { shares.emplace(reply.client, shares_of(reply)); });
    }
    find_partners();
    expect_enough(partners.size(), ", each with enough neighbours that share keys");
  }

  /// Leaves out who has too few neighbours, and then who has too few of the others, until all have enough.
  void find_partners() {
    for (const auto& [client, own] : shares) partners.emplace(client, graph.at(client));
    std::size_t before = 0;
    do {
      before = partners.size();
      for (auto& [client, neighbours] : partners) {
        std::erase_if(neighbours, [&](int neighbour) { return !partners.contains(neighbour); });
      }
      std::erase_if(partners, [&](const auto& entry) { return entry.second.size() < threshold_of.at(entry.first); });
    } while (partners.size() < before);
  }

  void gather_values(const Request& request, const Record& spec, std::size_t size) {
    std::vector<Envelope> envelopes;
    for (const auto& [client, neighbours] : partners) {
      SealedShares received;
      for (const int neighbour : neighbours) received.by_client.emplace(neighbour, shares.at(neighbour).by_client.at(client));
      Record record = received.save();
      record.records.emplace(kSpec, spec);
      envelopes.push_back(envelope(client, request, std::move(record)));
    }
    result.values.assign(size, 0);
    const Replies replies = round.exchange(std::move(envelopes), [&](Reply& reply) {
      with_message(reply.client, request.verb.c_str(), [&] {
        const Record extra = std::exchange(reply.extra, {});
        const auto masked = extra.array(kMasked).ints();
        expect(masked.size() == size, "secure sum: expected {} values, found {}", size, masked.size());
        for (std::size_t i = 0; i < size; ++i) result.values[i] += std::bit_cast<std::uint64_t>(masked[i]);
        result.cohort.clients.push_back(reply.client);
      });
    });
    result.cohort.sampled = replies.sampled;
    expect_enough(result.cohort.size(), " that send values");
  }

  /// Shares by the client whose secret they belong to, numbered as it dealt them.
  std::map<int, std::vector<NumberedShare>> gather_revealed() {
    std::vector<Envelope> envelopes;
    for (const int client : result.cohort.clients) {
      Survivors survivors{{client}, {}};
      for (const int neighbour : partners.at(client)) (answered(neighbour) ? survivors.answered : survivors.gone).push_back(neighbour);
      std::sort(survivors.answered.begin(), survivors.answered.end());
      envelopes.push_back(envelope(client, Request(kUnmaskVerb), survivors.save()));
    }
    std::map<int, std::vector<NumberedShare>> revealed;
    for (const Reply& reply : round.exchange(std::move(envelopes))) {
      with_message(reply.client, kUnmaskVerb, [&] {
        for (const auto& [owner, share] : RevealedShares::load(reply.extra).by_client) {
          const std::vector<int>& own = partners.at(reply.client);
          expect(std::binary_search(own.begin(), own.end(), owner), "secure sum: expected shares of neighbours, found those of client {}",
                 owner);
          const std::vector<int>& dealt_to = graph.at(owner);
          const auto at = std::lower_bound(dealt_to.begin(), dealt_to.end(), reply.client);
          revealed[owner].push_back({static_cast<std::size_t>(at - dealt_to.begin()), share});
        }
      });
    }
    return revealed;
  }

  Secret joined(int client, const std::map<int, std::vector<NumberedShare>>& revealed) const {
    const auto found = revealed.find(client);
    const std::size_t count = found == revealed.end() ? 0 : found->second.size();
    if (count < threshold_of.at(client)) {
      abandon(round, fmt::format("expected {} shares of a secret of client {}, found {}", threshold_of.at(client), client, count));
    }
    return join_shares(std::span(found->second).first(threshold_of.at(client)));
  }

  void take_masks_away() {
    const auto revealed = gather_revealed();
    for (const int client : result.cohort.clients) {
      const Secret own_mask = joined(client, revealed);
      const Secret commitment = mask_commitment(own_mask, name);
      if (!std::equal(commitment.bytes().begin(), commitment.bytes().end(), shares.at(client).commitment.begin())) {
        abandon(round, fmt::format("expected shares of client {}'s mask, found altered ones", client));
      }
      subtract_mask(own_mask, result.values);
    }
    for (const auto& [gone, neighbours] : shares_of_gone()) {
      const KeyPair masking(joined(gone, revealed));
      if (masking.public_key() != keys.at(gone).masking) {
        abandon(round, fmt::format("expected shares of client {}'s key, found altered ones", gone));
      }
      for (const int neighbour : neighbours) {
        const Secret mask = common_mask(masking, keys.at(neighbour).masking, name, gone, neighbour);
        if (neighbour < gone) {  // the neighbour has added it
          subtract_mask(mask, result.values);
        } else {
          add_mask(mask, result.values);
        }
      }
    }
  }

  /// Clients whose shares were passed on but whose values are missing, with the neighbours in the sum that masked with them.
  std::map<int, std::vector<int>> shares_of_gone() const {
    std::map<int, std::vector<int>> gone;
    for (const int client : result.cohort.clients) {
      for (const int neighbour : partners.at(client)) {
        if (!answered(neighbour)) gone[neighbour].push_back(client);
      }
    }
    return gone;
  }
};

SecureSum::SecureSum(const SecureSumOptions& options) : options_(options) {
  expect(options.threshold > 0.5 && options.threshold <= 1, "secure sum: expected a threshold above 0.5 and up to 1, found {}",
         options.threshold);
}

MaskedSum SecureSum::sum(Round& round, const Cohort& cohort, const Request& request, const Record& spec, std::size_t size) const {
  Run run{.options = options_, .round = round, .name = fresh_name(round.number())};
  run.gather_keys(cohort);
  run.gather_shares();
  run.gather_values(request, spec, size);
  run.take_masks_away();
  return std::move(run.result);
}

}  // namespace paretofl
