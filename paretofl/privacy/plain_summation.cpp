#include "paretofl/privacy/plain_summation.h"

#include <fmt/format.h>

#include <utility>

namespace paretofl {

CohortMean PlainSummation::sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) {
  const Release release = releases_.begin(round, spec);
  std::vector<std::uint64_t> sums(release.size());
  Cohort answered{{}, cohort.sampled};
  const auto add = [&](Reply& reply) {
    const int client = reply.client;
    const Reply taken = std::exchange(reply, {});
    reply.client = client;
    try {
      const std::vector<std::uint64_t> values = release.values_of(taken);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
      answered.clients.push_back(client);
    } catch (const Error& error) {
      round.note_failure({client, request.verb, error.what()});
    }
  };
  if (!cohort.clients.empty()) {  // Poisson sampling may draw nobody, which the noise hides as well
    round.broadcast(cohort, request, add);
    if (answered.clients.empty()) {
      throw RoundAbandoned(
          fmt::format("round {}: expected replies to '{}' whose numbers can be summed, found none", round.number(), request.verb));
    }
  }
  release.add_noise(sums, releases_.noise_key());
  return releases_.end(round, release, sums, std::move(answered));
}

}  // namespace paretofl
