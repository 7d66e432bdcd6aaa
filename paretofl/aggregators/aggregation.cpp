#include "paretofl/aggregators/aggregation.h"

#include <algorithm>
#include <cmath>

#include "paretofl/aggregators/sample_count.h"
#include "paretofl/core/error.h"
#include "paretofl/core/round.h"

namespace paretofl {
namespace {

template <class T>
bool holds_only_finite(const std::vector<T>& values) {
  bool finite = true;
  for (const T x : values) finite &= std::isfinite(x);
  return finite;
}

}  // namespace

void AggregationOptions::describe(OptionVisitor& visit) {
  visit.component("aggregator", aggregator, aggregators(), "how the server combines what the clients send");
  visit.real("max_samples", max_samples, 0, kInfinity,
             "a client that claims more samples than this is left out of the round, since it could claim a huge weight; 0: no bound");
}

Aggregation::Aggregation(const AggregationOptions& options, ClientWeighting weighting)
    : aggregator_(make_aggregator(options.aggregator)), weighting_(weighting), max_samples_(options.max_samples) {}

std::optional<Fault> Aggregation::fault(const Reply& reply, std::size_t size, std::size_t objectives) const {
  if (reply.update.size() != size || (objectives > 0 && reply.losses.size() != objectives)) return Fault::kWrongSize;
  const bool counts = weighting_ == ClientWeighting::kSamples;
  if ((counts && !is_sample_count(reply.num_samples)) || (max_samples_ > 0 && !(reply.num_samples <= max_samples_))) {
    return Fault::kSampleCount;
  }
  if (!holds_only_finite(reply.update) || !holds_only_finite(reply.losses)) return Fault::kNotFinite;
  return std::nullopt;
}

void Aggregation::keep_usable(Replies& replies, std::size_t size, std::size_t objectives, Exclusions& exclusions) const {
  std::erase_if(replies.replies, [&](const Reply& reply) {
    const std::optional<Fault> found = fault(reply, size, objectives);
    if (found) exclusions.add(reply.client, *found);
    return found.has_value();
  });
  expect_enough(replies.size());
}

void Aggregation::expect_enough(std::size_t left) const {
  expect(left > 0,
         "aggregation: expected an answer with finite numbers, of the sizes asked for and with an acceptable sample count, found none; "
         "smaller learning rates may help");
  if (left < fewest()) {
    throw RoundAbandoned(fmt::format("aggregation: expected at least {} usable answers, found {}", fewest(), left));
  }
}

std::vector<float> Aggregation::combine(const Replies& replies, std::size_t size, std::size_t objectives) const {
  return combine(replies, size, client_shares(replies, weighting_), objectives);
}

std::vector<float> Aggregation::combine(const Replies& replies, std::size_t size, std::span<const double> shares,
                                        std::size_t objectives) const {
  if (is_mean()) return weighted_update(replies, size, shares);
  std::vector<std::span<const float>> vectors;
  for (const Reply& reply : replies) vectors.emplace_back(reply.update);
  return combine(vectors, shares, objectives);
}

std::vector<float> Aggregation::combine(Vectors vectors, std::span<const double> shares, std::size_t objectives) const {
  std::vector<float> combined;
  const std::size_t width = vectors.front().size() / objectives;
  for (std::size_t k = 0; k < objectives; ++k) {
    std::vector<std::span<const float>> rows;
    for (const std::span<const float> vector : vectors) rows.push_back(vector.subspan(k * width, width));
    const std::vector<float> row = aggregator_->combine(rows, shares);
    combined.insert(combined.end(), row.begin(), row.end());
  }
  return combined;
}

std::vector<double> Aggregation::losses(const Replies& replies, std::size_t objectives) const {
  if (is_mean()) return mean_losses(replies, objectives, weighting_);
  std::vector<std::vector<double>> rows;
  for (const Reply& reply : replies) {
    expect(reply.losses.size() == objectives, "aggregation: expected {} losses from client {}, found {}", objectives, reply.client,
           reply.losses.size());
    rows.push_back(reply.losses);
  }
  return median_row(rows);
}

std::vector<double> median_row(const std::vector<std::vector<double>>& rows) {
  std::vector<double> median(rows.front().size());
  for (std::size_t k = 0; k < median.size(); ++k) {
    std::vector<double> column;
    for (const std::vector<double>& row : rows) column.push_back(row[k]);
    std::sort(column.begin(), column.end());
    median[k] = 0.5 * column[(column.size() - 1) / 2] + 0.5 * column[column.size() / 2];
  }
  return median;
}

}  // namespace paretofl
