#include "paretofl/privacy/privacy_ledger.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/privacy/privacy_accountant.h"

namespace paretofl {
namespace {

CohortSampling sampling_of(const Record& record) {
  const CohortSampling sampling{record.scalar("poisson") != 0 ? CohortSampling::Kind::kPoisson : CohortSampling::Kind::kFixedSize,
                                record.scalar("rate")};
  expect(sampling.rate > 0 && sampling.rate <= 1, "privacy ledger: expected a sampling rate above 0 and at most 1, found {}",
         sampling.rate);
  return sampling;
}

bool same(const CohortSampling& one, const CohortSampling& other) { return one.kind == other.kind && one.rate == other.rate; }

}  // namespace

PrivacyLedger::PrivacyLedger(std::string accountant, double delta, std::uint64_t start)
    : accountant_(std::move(accountant)), delta_(delta), start_(start), next_times_(static_cast<std::int64_t>(start)) {
  make_accountant(accountant_);
  check_delta(delta);
}

void PrivacyLedger::add(std::uint32_t round, std::size_t draw, double noise_multiplier, const CohortSampling& sampling) {
  if (round != round_) {
    for (const Step& step : std::exchange(last_, {})) count(as_one(step));
    times_ = std::exchange(next_times_, 1);
  }
  round_ = round;
  if (draw < last_.size()) {
    expect(same(last_[draw].sampling, sampling), "privacy ledger: expected one sampling per cohort, found two");
    last_[draw].noise_multiplier = combined_noise({last_[draw].noise_multiplier, noise_multiplier});
  } else {
    last_.push_back({noise_multiplier, sampling, times_});
  }
}

double PrivacyLedger::epsilon() const {
  const auto accountant = make_accountant(accountant_);
  for (const Step& step : steps_) accountant->add(step.noise_multiplier, step.sampling, step.count);
  for (const Step& step : last_) accountant->add(as_one(step).noise_multiplier, step.sampling, 1);
  return accountant->epsilon(delta_);
}

double PrivacyLedger::epsilon_with(std::uint32_t round, std::size_t draw, double noise_multiplier, const CohortSampling& sampling) const {
  PrivacyLedger after = *this;
  after.add(round, draw, noise_multiplier, sampling);
  return after.epsilon();
}

double PrivacyLedger::epsilon_after_next_round() const {
  PrivacyLedger after = *this;
  for (Step step : last_) {
    step.count = next_times_;
    after.count(as_one(step));
  }
  return after.epsilon();
}

PrivacyLedger::Step PrivacyLedger::as_one(const Step& step) {
  return {step.noise_multiplier / std::sqrt(static_cast<double>(step.count)), step.sampling, 1};
}

void PrivacyLedger::count(const Step& step) {
  const auto equal = std::find_if(steps_.begin(), steps_.end(), [&](const Step& known) {
    return known.noise_multiplier == step.noise_multiplier && same(known.sampling, step.sampling);
  });
  if (equal == steps_.end()) {
    steps_.push_back(step);
  } else {
    equal->count += step.count;
  }
}

Record PrivacyLedger::save() const {
  Record state;
  state.scalars = {{"round", round_}, {"start", static_cast<double>(start_)}};
  for (const auto& [name, steps] : {std::pair{"steps", &steps_}, std::pair{"last", &last_}}) {
    Record& list = state.records[name];
    for (std::size_t i = 0; i < steps->size(); ++i) {
      const Step& step = (*steps)[i];
      list.records[fmt::format("{:08}", i)].scalars = {{"noise_multiplier", step.noise_multiplier},
                                                       {"poisson", step.sampling.kind == CohortSampling::Kind::kPoisson ? 1.0 : 0.0},
                                                       {"rate", step.sampling.rate},
                                                       {"count", static_cast<double>(step.count)}};
    }
  }
  return state;
}

void PrivacyLedger::load(const Record& state) {
  const std::int64_t before = count_scalar(state, "start");
  expect(before <= static_cast<std::int64_t>(start_), "privacy ledger: expected one of start {} or before, found one of start {}", start_,
         before);
  round_ = static_cast<std::uint32_t>(count_scalar(state, "round"));
  for (const auto& [name, steps] : {std::pair{"steps", &steps_}, std::pair{"last", &last_}}) {
    steps->clear();
    for (const auto& [number, step] : state.record(name).records) {
      check_noise_multiplier(step.scalar("noise_multiplier"));
      steps->push_back({step.scalar("noise_multiplier"), sampling_of(step), count_scalar(step, "count")});
    }
  }
  next_times_ = 1 + static_cast<std::int64_t>(start_) - before;
}

}  // namespace paretofl
