#pragma once

#include <span>
#include <string>
#include <vector>

#include "paretofl/core/cohort.h"
#include "paretofl/registry/options.h"

namespace paretofl {

/// How much each client counts in a mean ACROSS CLIENTS.
enum class ClientWeighting { kUniform, kSamples };

/// Reads "uniform" or "samples"; throws Error on anything else.
ClientWeighting parse_client_weighting(const std::string& text);
void describe_client_weighting(OptionVisitor& visit, std::string& field);

/// Each reply's share, summing to one, in the replies' order. Throws Error unless the sample counts
/// are finite and positive.
std::vector<double> client_shares(const Replies& replies, ClientWeighting weighting);

/// The replies' updates [size], each times its share [n], summed in client-id order. Throws Error if an update has another
/// size or holds a NaN or infinity, naming the client.
std::vector<float> weighted_update(const Replies& replies, std::size_t size, std::span<const double> shares);

/// The mean of the replies' updates [size], summed in client-id order. Throws Error if an update
/// has another size or holds a NaN or infinity, naming the client.
std::vector<float> mean_update(const Replies& replies, std::size_t size, ClientWeighting weighting = ClientWeighting::kUniform);

/// The same mean, of updates that are summed and freed as they come, so that memory does not hold those of the whole cohort. Clients count
/// by the shares that they would have if the whole cohort answered and had as many samples as the first; the sum is scaled at the end if
/// that was not so.
class ArrivingMean {
 public:
  /// For updates [size] of at most `cohort` clients.
  ArrivingMean(std::size_t size, ClientWeighting weighting, std::size_t cohort) : weighting_(weighting), cohort_(cohort), sum_(size) {}

  /// Takes the reply's update away, and adds it. Throws Error as mean_update does.
  void add(Reply& reply);

  /// The mean [size] over the clients added. Ends the sum. Throws Error if none was added.
  std::vector<float> take();

 private:
  ClientWeighting weighting_;
  std::size_t cohort_;
  double expected_ = 0;  ///< the weights' sum, if all answer like the first
  double total_ = 0;     ///< the weights' sum so far
  std::vector<float> sum_;
};

/// The mean of the replies' losses [M].
std::vector<double> mean_losses(const Replies& replies, std::size_t num_objectives, ClientWeighting weighting = ClientWeighting::kUniform);

}  // namespace paretofl
