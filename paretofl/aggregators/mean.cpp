#include "paretofl/aggregators/mean.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

const std::vector<std::string> kWeightings{"uniform", "samples"};

constexpr std::size_t kBlock = 4096;              // numbers of the mean that stay in the first-level cache for all clients
constexpr std::uint32_t kInfinite = 0x7f800000U;  // bits of infinity; those of NaNs are above

/// Adds share * update to the sum; returns the bits of the update's largest magnitude.
std::uint32_t add_share(float* sum, float share, const float* update, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] += share * update[i];
    largest = std::max(largest, std::bit_cast<std::uint32_t>(update[i]) & 0x7fffffffU);
  }
  return largest;
}

double weight_of(const Reply& reply, ClientWeighting weighting) {
  const double weight = weighting == ClientWeighting::kUniform ? 1 : reply.num_samples;
  expect(std::isfinite(weight) && weight > 0, "aggregation: expected a positive sample count from client {}, found {}", reply.client,
         weight);
  return weight;
}

void expect_size(const Reply& reply, std::size_t size) {
  expect(reply.update.size() == size, "aggregation: expected an update of {} numbers from client {}, found {}", size, reply.client,
         reply.update.size());
}

void expect_finite(std::uint32_t largest, const Reply& reply) {
  expect(largest < kInfinite, "aggregation: expected finite updates, found a NaN or infinity from client {}", reply.client);
}

}  // namespace

ClientWeighting parse_client_weighting(const std::string& text) {
  if (text == "uniform") return ClientWeighting::kUniform;
  expect(text == "samples", "client weighting: expected uniform or samples, found '{}'", text);
  return ClientWeighting::kSamples;
}

void describe_client_weighting(OptionVisitor& visit, std::string& field) {
  visit.choice("client_weighting", field, kWeightings, "how much each client counts in the mean of updates");
}

std::vector<double> client_shares(const Replies& replies, ClientWeighting weighting) {
  std::vector<double> shares;
  double total = 0;
  for (const Reply& reply : replies) {
    shares.push_back(weight_of(reply, weighting));
    total += shares.back();
  }
  for (double& share : shares) share /= total;
  return shares;
}

std::vector<float> mean_update(const Replies& replies, std::size_t size, ClientWeighting weighting) {
  return weighted_update(replies, size, client_shares(replies, weighting));
}

std::vector<float> weighted_update(const Replies& replies, std::size_t size, std::span<const double> shares) {
  for (const Reply& reply : replies) expect_size(reply, size);
  std::vector<float> mean(size);
  std::vector<std::uint32_t> largest(replies.size());  // magnitude of each update's numbers, as bits
  for (std::size_t start = 0; start < size; start += kBlock) {
    const std::size_t count = std::min(kBlock, size - start);
    std::size_t index = 0;
    for (const Reply& reply : replies) {
      const std::uint32_t magnitude = add_share(mean.data() + start, static_cast<float>(shares[index]), reply.update.data() + start, count);
      largest[index] = std::max(largest[index], magnitude);
      ++index;
    }
  }
  std::size_t index = 0;
  for (const Reply& reply : replies) expect_finite(largest[index++], reply);
  return mean;
}

void ArrivingMean::add(Reply& reply) {
  const double weight = weight_of(reply, weighting_);
  expect_size(reply, sum_.size());
  if (total_ == 0) expected_ = weight * static_cast<double>(cohort_);
  total_ += weight;
  const std::vector<float> update = std::exchange(reply.update, {});
  expect_finite(add_share(sum_.data(), static_cast<float>(weight / expected_), update.data(), update.size()), reply);
}

std::vector<float> ArrivingMean::take() {
  expect(total_ > 0, "aggregation: expected at least one update, found none");
  if (total_ != expected_) {
    const auto scale = static_cast<float>(expected_ / total_);
    for (float& x : sum_) x *= scale;
  }
  return std::exchange(sum_, {});
}

std::vector<double> mean_losses(const Replies& replies, std::size_t num_objectives, ClientWeighting weighting) {
  const std::vector<double> shares = client_shares(replies, weighting);
  std::vector<double> mean(num_objectives);
  std::size_t index = 0;
  for (const Reply& reply : replies) {
    expect(reply.losses.size() == num_objectives, "aggregation: expected {} losses from client {}, found {}", num_objectives, reply.client,
           reply.losses.size());
    for (std::size_t k = 0; k < num_objectives; ++k) mean[k] += shares[index] * reply.losses[k];
    ++index;
  }
  return mean;
}

}  // namespace paretofl
