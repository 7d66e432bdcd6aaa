#include "paretofl/scalarized/counted_replies.h"

#include <span>

#include "paretofl/core/error.h"
#include "paretofl/scalarized/pending_change.h"

namespace paretofl {
namespace {

constexpr const char* kCounted = "counted";

}  // namespace

void CountedReplies::tell(const Cohort& cohort, Request& request) const {
  std::vector<std::int64_t> pairs;  // of a client and a round
  for (const int client : cohort.clients) pairs.insert(pairs.end(), {client, rounds_[static_cast<std::size_t>(client)]});
  request.extra.arrays.emplace(kLastCounted, Array(std::span<const std::int64_t>(pairs)));
}

void CountedReplies::count(const Cohort& cohort, std::uint32_t round) {
  for (const int client : cohort.clients) rounds_[static_cast<std::size_t>(client)] = round;
}

void CountedReplies::save(Record& state) const { state.arrays.insert_or_assign(kCounted, Array(std::span<const std::int64_t>(rounds_))); }

void CountedReplies::load(const Record& state) {
  const std::span<const std::int64_t> saved = state.array(kCounted).ints();
  expect(saved.size() == rounds_.size(), "state: expected {} rounds in {}, found {}", rounds_.size(), kCounted, saved.size());
  rounds_.assign(saved.begin(), saved.end());
}

}  // namespace paretofl
