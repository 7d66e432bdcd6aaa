#include "paretofl/scalarized/pending_change.h"

#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/optimization/vectors.h"

namespace paretofl {
namespace {

constexpr const char* kChange = "pending";
constexpr const char* kRound = "pending_round";

/// Whether the client's reply of that round counted: it did where the request tells nothing of it.
bool has_counted(const Request& request, int client, std::uint32_t round) {
  const auto found = request.extra.arrays.find(kLastCounted);
  if (found == request.extra.arrays.end()) return true;
  const std::span<const std::int64_t> pairs = found->second.ints();
  expect(pairs.size() % 2 == 0, "request: expected pairs in {}, found {} numbers", kLastCounted, pairs.size());
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] == client) return pairs[i + 1] == round;
  }
  return true;
}

}  // namespace

std::span<const float> PendingChange::settled(const Request& request, int client) {
  if (!change_.empty() && has_counted(request, client, round_)) add_scaled(vector_.values(), factor_, change_);
  change_.clear();
  return std::as_const(vector_).values();
}

void PendingChange::add(std::vector<float> change, std::uint32_t round) {
  change_ = std::move(change);
  round_ = round;
}

void PendingChange::save(Record& state) const {
  vector_.save(state);
  if (change_.empty()) return;
  state.arrays.insert_or_assign(kChange, Array(std::span<const float>(change_)));
  state.scalars.insert_or_assign(kRound, round_);
}

void PendingChange::load(const Record& state) {
  vector_.load(state);
  change_.clear();
  if (!state.arrays.contains(kChange)) return;
  const auto saved = float_array(state, kChange, std::as_const(vector_).values().size());
  change_.assign(saved.begin(), saved.end());
  round_ = static_cast<std::uint32_t>(state.scalar(kRound));
}

}  // namespace paretofl
