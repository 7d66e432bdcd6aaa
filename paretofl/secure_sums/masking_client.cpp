#include "paretofl/secure_sums/masking_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/secure_sums/mask_stream.h"
#include "paretofl/secure_sums/sealed_message.h"
#include "paretofl/secure_sums/secret_shares.h"

namespace paretofl {
namespace {

constexpr const char* kSealing = "sealing key";
constexpr const char* kMasking = "masking key";
constexpr const char* kOwnMask = "own mask";

std::string direction(const std::string& sum, int from, int to) { return fmt::format("{} shares from {} to {}", sum, from, to); }

}  // namespace

Secret sealing_key(const KeyPair& own, const PublicKey& other, const std::string& sum, int from, int to) {
  return own.shared_with(other).derive(direction(sum, from, to));
}

Secret common_mask(const KeyPair& own, const PublicKey& other, const std::string& sum, int one, int two) {
  return own.shared_with(other).derive(fmt::format("{} mask of {} and {}", sum, std::min(one, two), std::max(one, two)));
}

Secret mask_commitment(const Secret& mask, const std::string& sum) { return mask.derive(sum + " commitment"); }

void MaskingClient::expect_stage(Stage stage, const char* what) const {
  expect(stage_ == stage, "secure sum: expected requests in their order, each once, found one for {} of client {} too early or again", what,
         client_);
}

MaskingKeys MaskingClient::begin(const std::string& sum, const std::string& occasion) {
  sum_ = sum;
  occasion_ = occasion;
  setup_ = {};
  held_.clear();
  stage_ = Stage::kBegun;
  return {KeyPair(secret_for(kSealing)).public_key(), KeyPair(secret_for(kMasking)).public_key()};
}

SealedShares MaskingClient::share(const MaskingSetup& setup) {
  expect_stage(Stage::kBegun, "shares");
  const std::size_t count = setup.neighbours.size();
  expect(!setup.neighbours.contains(client_), "secure sum: expected neighbours of client {}, found itself", client_);
  expect(setup.threshold > count / 2 && setup.threshold <= count && count <= kMostShares,
         "secure sum: expected a threshold of more than half of {} neighbours and at most {}, found {}", count, kMostShares,
         setup.threshold);
  const Secret own_mask = secret_for(kOwnMask);
  const auto of_key = split_secret(secret_for(kMasking), setup.threshold, count, secret_for("shares of the masking key"));
  const auto of_mask = split_secret(own_mask, setup.threshold, count, secret_for("shares of the own mask"));
  const KeyPair sealing(secret_for(kSealing));
  SealedShares shares;
  std::size_t number = 0;
  for (const auto& [neighbour, keys] : setup.neighbours) {
    std::vector<std::uint8_t> both(of_key[number].bytes().begin(), of_key[number].bytes().end());
    both.insert(both.end(), of_mask[number].bytes().begin(), of_mask[number].bytes().end());
    const Secret key = sealing_key(sealing, keys.sealing, sum_, client_, neighbour);
    shares.by_client.emplace(neighbour, seal(key, direction(sum_, client_, neighbour), both));
    ++number;
  }
  const Secret commitment = mask_commitment(own_mask, sum_);
  shares.commitment.assign(commitment.bytes().begin(), commitment.bytes().end());
  setup_ = setup;
  stage_ = Stage::kShared;
  return shares;
}

void MaskingClient::mask(const SealedShares& received, std::span<std::uint64_t> values) {
  expect_stage(Stage::kShared, "masked values");
  expect(received.by_client.size() >= setup_.threshold, "secure sum: expected shares of at least {} neighbours, found {}", setup_.threshold,
         received.by_client.size());
  const KeyPair sealing(secret_for(kSealing));
  std::map<int, Held> held;
  for (const auto& [neighbour, sealed] : received.by_client) {
    const auto keys = setup_.neighbours.find(neighbour);
    expect(keys != setup_.neighbours.end(), "secure sum: expected shares of neighbours of client {}, found those of {}", client_,
           neighbour);
    const Secret key = sealing_key(sealing, keys->second.sealing, sum_, neighbour, client_);
    const std::vector<std::uint8_t> both = open_sealed(key, direction(sum_, neighbour, client_), sealed);
    const std::span<const std::uint8_t> bytes(both);
    held.emplace(neighbour, Held{Secret(bytes.first(Secret::kSize)), Secret(bytes.subspan(Secret::kSize))});
  }
  held_ = std::move(held);
  const KeyPair masking(secret_for(kMasking));
  for (const auto& [neighbour, shares] : held_) {
    const Secret mask = common_mask(masking, setup_.neighbours.at(neighbour).masking, sum_, client_, neighbour);
    if (client_ < neighbour) {
      add_mask(mask, values);
    } else {
      subtract_mask(mask, values);
    }
  }
  add_mask(secret_for(kOwnMask), values);
  stage_ = Stage::kMasked;
}

RevealedShares MaskingClient::reveal(const Survivors& survivors) {
  expect_stage(Stage::kMasked, "the shares of masks");
  stage_ = Stage::kNone;
  RevealedShares shares;
  bool own = false;
  std::size_t answered = 0;
  const auto held_of = [&](int client) -> const Held& {
    const auto found = held_.find(client);
    expect(found != held_.end() && !shares.by_client.contains(client),
           "secure sum: expected survivors among the neighbours whose shares client {} has, each once, found {}", client_, client);
    return found->second;
  };
  for (const int client : survivors.answered) {
    if (client == client_) {
      own = true;
      continue;
    }
    shares.by_client.emplace(client, held_of(client).own_mask);
    ++answered;
  }
  for (const int client : survivors.gone) shares.by_client.emplace(client, held_of(client).masking_key);
  expect(own && answered >= setup_.threshold,
         "secure sum: expected at least {} neighbours of client {} to have answered beside itself, found {}", setup_.threshold, client_,
         answered);
  held_.clear();
  return shares;
}

}  // namespace paretofl
