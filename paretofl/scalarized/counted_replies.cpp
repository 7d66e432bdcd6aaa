#include "paretofl/scalarized/counted_replies.h"

#include <span>

#include "paretofl/core/error.h"
#include "paretofl/scalarized/pending_change.h"

namespace paretofl {
namespace {

void load_rounds(const Record& state, const char* name, std::vector<std::int64_t>& rounds) {
  if (!state.arrays.contains(name)) return;
  const std::span<const std::int64_t> saved = state.array(name).ints();
  expect(saved.size() == rounds.size(), "state: expected {} rounds in {}, found {}", rounds.size(), name, saved.size());
  rounds.assign(saved.begin(), saved.end());
}

}  // namespace

void CountedReplies::ask(const Cohort& cohort, std::uint32_t round, Request& request) {
  std::vector<std::int64_t> last_counted;  // pairs of a client and a round
  for (const int client : cohort.clients) {
    const auto i = static_cast<std::size_t>(client);
    if (asked_[i] != counted_[i]) last_counted.insert(last_counted.end(), {client, counted_[i]});
    asked_[i] = round;
  }
  if (!last_counted.empty()) request.extra.arrays.emplace(kLastCounted, Array(std::span<const std::int64_t>(last_counted)));
}

void CountedReplies::count(const Cohort& cohort, std::uint32_t round) {
  for (const int client : cohort.clients) counted_[static_cast<std::size_t>(client)] = round;
}

void CountedReplies::save(Record& state) const {
  state.arrays.insert_or_assign("asked", Array(std::span<const std::int64_t>(asked_)));
  state.arrays.insert_or_assign("counted", Array(std::span<const std::int64_t>(counted_)));
}

void CountedReplies::load(const Record& state) {
  load_rounds(state, "asked", asked_);
  load_rounds(state, "counted", counted_);
}

}  // namespace paretofl
