#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "paretofl/secure_sums/masking_messages.h"
#include "paretofl/secure_sums/secret.h"

namespace paretofl {

/// One client's side of a secure sum (Bonawitz et al. 2017, Protocol 1 against a server that follows the protocol; with the neighbours of
/// Bell et al. 2020). It answers the four requests of a sum in their order, each once; what does not belong there is an Error and gives
/// nothing away.
///
/// All of a sum's secrets are derived from the client's root secret and `occasion`, so that a process which takes up a round again after it
/// was killed has the same ones. Two sums of one occasion would have the same masks, by which the difference of the client's values could
/// be read: the occasion must be one that does not come again.
class MaskingClient {
 public:
  /// `root` is the client's alone.
  MaskingClient(int client, const Secret& root) : client_(client), root_(root) {}

  /// Begins the sum of this name, which all its clients have in common; forgets an earlier one.
  MaskingKeys begin(const std::string& sum, const std::string& occasion);
  /// Throws Error unless the setup's threshold is more than half of the neighbours and at most all, so that neighbours who each reveal one
  /// kind of share can't be made to give away both; and on neighbours that are no others.
  SealedShares share(const MaskingSetup& setup);
  /// Takes the shares of the neighbours who are still there, and adds the client's masks to its values. Throws Error on shares that were
  /// altered or are another sum's, and where fewer neighbours are left than the threshold.
  void mask(const SealedShares& received, std::span<std::uint64_t> values);
  /// How many clients' values are in a sum at least that this client takes part in to the end.
  std::size_t fewest() const { return setup_.threshold + 1; }
  /// Throws Error unless the survivors are those whose shares have come, this client among those who answered, with at least as many
  /// neighbours as the threshold. Ends the sum.
  RevealedShares reveal(const Survivors& survivors);

 private:
  enum class Stage { kNone, kBegun, kShared, kMasked };
  /// The shares of one neighbour's secrets.
  struct Held {
    Secret masking_key;
    Secret own_mask;
  };

  Secret secret_for(const std::string& purpose) const { return root_.derive(sum_ + " " + occasion_ + " " + purpose); }
  void expect_stage(Stage stage, const char* what) const;

  int client_;
  Secret root_;
  Stage stage_ = Stage::kNone;
  std::string sum_;
  std::string occasion_;
  MaskingSetup setup_;
  std::map<int, Held> held_;
};

/// The key that seals the shares from one client to another.
Secret sealing_key(const KeyPair& own, const PublicKey& other, const std::string& sum, int from, int to);
/// The mask that two clients have in common: the one with the smaller id adds it, the other takes it away.
Secret common_mask(const KeyPair& own, const PublicKey& other, const std::string& sum, int one, int two);
/// By what a client's own mask is recognized when it is joined again from shares.
Secret mask_commitment(const Secret& mask, const std::string& sum);

}  // namespace paretofl
