#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/request.h"

namespace paretofl {

/// The verb of a request that asks for nothing but an answer, which shows that both sides agree.
inline constexpr std::string_view kHello = "hello";
/// In the texts of a reply to it: by what and for which instructions the party's engine was built, on which bits depend.
inline constexpr std::string_view kBuild = "build";
/// In the record of a refusal: what the party has, where it must agree with the run.
inline constexpr std::string_view kPartyHas = "party has";
/// In the texts of a reply to "save_state" and of a request "load_state": the name of a state that the party keeps. In those of a request
/// "save_state": the one on which the server's newest checkpoint stands, which the party keeps on keeping.
inline constexpr std::string_view kKept = "kept";

/// A request on its way to the process of a party, with what the process needs to apply it at most once and in one federation only.
struct PartyRequest {
  std::string run = {};  ///< the run's id
  /// The random number of each start of the run's server, in order; the last is of this one. By their number the starts are in order, and
  /// by the numbers a party tells two copies of a run directory, each with a server of its own.
  std::vector<std::uint64_t> starts = {};
  std::uint64_t exchange = 0;  ///< number of the exchange since that start, from 1
  std::uint64_t previous = 0;  ///< number of the last exchange that this client is known to have answered; 0: none yet
  std::string agreed = {};     ///< digest of what all parties must agree on
  Envelope envelope = {};

  bool operator==(const PartyRequest&) const = default;
};

}  // namespace paretofl
