#include "paretofl/privacy/releases.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

CohortDraw last_draw(const Round& round) {
  const auto clients = static_cast<std::size_t>(round.num_clients());
  return round.draws().empty() ? CohortDraw{clients, clients} : round.draws().back();
}

std::size_t number_of_draw(const Round& round) { return round.draws().empty() ? 0 : round.draws().size() - 1; }

CohortSampling sampling_of(const Round& round, const ReleaseOptions& options) {
  const CohortDraw draw = last_draw(round);
  if (options.poisson()) return CohortSampling::poisson(static_cast<double>(draw.drawn) / static_cast<double>(draw.available));
  return CohortSampling::fixed_size(static_cast<std::int64_t>(draw.drawn), static_cast<std::int64_t>(draw.available));
}

}  // namespace

Releases::Releases(const ReleaseOptions& options, const FixedPoint& fixed_point, std::vector<std::size_t> layers, const Secret& key,
                   std::uint64_t start)
    : options_(options),
      fixed_point_(fixed_point),
      layers_(std::move(layers)),
      key_(key),
      bounds_(options),
      ledger_(options.accountant, options.delta, start) {}

Release Releases::begin(const Round& round, const SumSpec& spec) {
  if (round.number() != round_) in_round_ = 0;
  round_ = round.number();
  ++in_round_;
  Release release(spec, options_, bounds_, fixed_point_, layers_);
  if (options_.budget > 0) {
    const double epsilon =
        ledger_.epsilon_with(round.number(), number_of_draw(round), options_.noise_multiplier, sampling_of(round, options_));
    expect(epsilon <= options_.budget, "privacy.budget: expected an epsilon of at least {:.6g} for what round {} releases, found {}",
           epsilon, round.number(), options_.budget);
  }
  return release;
}

Record Releases::for_clients() const {
  Record told = bounds_.save();
  told.scalars.emplace(kNumber, static_cast<double>(in_round_));
  return told;
}

Secret Releases::noise_key() const { return key_.derive(fmt::format("noise of sum {} in round {}", in_round_, round_)); }

CohortMean Releases::end(const Round& round, const Release& release, std::span<const std::uint64_t> sums, Cohort cohort) {
  if (!options_.noisy()) return release.mean(sums, std::move(cohort));
  ledger_.add(round.number(), number_of_draw(round), release.noise_multiplier(), sampling_of(round, options_));
  // With Poisson sampling the size of a cohort is of a client's making, and the mean is that over the expected one.
  const double weight = static_cast<double>(options_.poisson() ? last_draw(round).drawn : cohort.size());
  release.adapt(bounds_, sums, weight);
  return release.mean(sums, std::move(cohort), weight);
}

bool Releases::affords_next_round() const { return options_.budget == 0 || ledger_.epsilon_after_next_round() <= options_.budget; }

std::map<std::string, double> Releases::figures() const {
  std::map<std::string, double> figures;
  if (options_.noisy()) figures.emplace("epsilon", epsilon());
  if (!options_.adaptive_clip) return figures;
  for (const ClipKind kind : kClipKinds) figures.emplace(name_of(kind), bounds_.of(kind));
  return figures;
}

Record Releases::save() const {
  Record state;
  state.records.emplace("bounds", bounds_.save());
  state.records.emplace("ledger", ledger_.save());
  return state;
}

void Releases::load(const Record& state) {
  bounds_.load(state.record("bounds"));
  ledger_.load(state.record("ledger"));
}

}  // namespace paretofl
