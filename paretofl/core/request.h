#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/parameters.h"
#include "paretofl/core/random.h"
#include "paretofl/core/record.h"

namespace paretofl {

/// What the server asks of a client: a verb, the fields that all algorithms share, and named extras
/// for the rest. Cheap to copy: the parameters are shared.
struct Request {
  std::string verb;  ///< what to do, such as "train"; each strategy's two halves agree on its verbs
  std::uint64_t seed = 0;
  std::uint32_t round = 0;
  std::shared_ptr<const std::vector<float>> parameters;  ///< [d], or null
  std::vector<double> objective_weights;                 ///< lambda [M], or empty
  Record extra;

  Request() = default;
  explicit Request(std::string verb_name) : verb(std::move(verb_name)) {}

  /// Adds theta [d]: of Parameters as a snapshot, which copies no numbers; of a span as a copy.
  Request with(const Parameters& theta) &&;
  Request with(std::span<const float> theta) &&;
  Request with_objective_weights(std::vector<double> lambda) &&;

  /// theta [d]; throws Error if the request carries none or not `count` finite numbers.
  std::span<const float> theta(std::size_t count) const;
  /// lambda [M]; throws Error unless there are `count` finite numbers.
  std::span<const double> lambda(std::size_t count) const;

  bool operator==(const Request& other) const;
};

/// A request on its way to one client.
struct Envelope {
  int client = 0;
  Request request;

  StreamId stream() const { return {request.seed, request.round, static_cast<std::uint32_t>(client)}; }
  bool operator==(const Envelope&) const = default;
};

}  // namespace paretofl
