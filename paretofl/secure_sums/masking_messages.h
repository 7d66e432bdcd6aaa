#pragma once

#include <map>
#include <string>
#include <vector>

#include "paretofl/core/record.h"
#include "paretofl/secure_sums/key_pair.h"

namespace paretofl {

// The messages of a secure sum (secure_sum.h), and how records carry them. Every load() throws Error on a record that holds no such
// message.

/// First answer: the client's public keys.
struct MaskingKeys {
  PublicKey sealing{};  ///< for the shares that it is sent
  PublicKey masking{};  ///< for the masks that it has in common with others

  Record save() const;
  static MaskingKeys load(const Record& record);
  bool operator==(const MaskingKeys&) const = default;
};

/// Second request: with whom the client masks, and how many of them must help to take its masks away.
struct MaskingSetup {
  std::size_t threshold = 0;
  std::map<int, MaskingKeys> neighbours;

  Record save() const;
  static MaskingSetup load(const Record& record);
  bool operator==(const MaskingSetup&) const = default;
};

/// Second answer: a sealed share of the client's secrets for each neighbour, and by what its own mask can be recognized. Third request: the
/// shares that others have sealed for the client, without a commitment.
struct SealedShares {
  std::map<int, std::vector<std::uint8_t>> by_client;  ///< kSealedShareBytes each
  std::vector<std::uint8_t> commitment;                ///< Secret::kSize bytes, or none

  Record save() const;
  static SealedShares load(const Record& record);
  bool operator==(const SealedShares&) const = default;
};
inline constexpr std::size_t kSealedShareBytes = 80;

/// Fourth request: whose values have come, and whose masks remain without.
struct Survivors {
  std::vector<int> answered;
  std::vector<int> gone;

  Record save() const;
  static Survivors load(const Record& record);
  bool operator==(const Survivors&) const = default;
};

/// Fourth answer: of each neighbour that answered, the share of its own mask; of each that is gone, that of its masking key.
struct RevealedShares {
  std::map<int, Secret> by_client;

  Record save() const;
  static RevealedShares load(const Record& record);
  bool operator==(const RevealedShares&) const = default;
};

}  // namespace paretofl
