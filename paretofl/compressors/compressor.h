#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "paretofl/core/random.h"
#include "paretofl/core/record.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// How the server comes from the clients' sketches to an estimate of the Gramian (FedCMOO, appendix B).
enum class GramianProtocol {
  kOneWay,       ///< the Gramian of the mean reconstruction
  kTwoWay,       ///< that, corrected: the server sends a sketch of the clients' sum back (Algorithm 6)
  kOwnGramians,  ///< 1/n^2 times the sum of the clients' own Gramians; a sketch is nothing but one
};

/// A lossy or exact picture of a jacobian [M, d] (row k the gradient of objective k) that is small on
/// the wire. Immutable, and safe to share between threads.
class Compressor {
 public:
  virtual ~Compressor() = default;

  /// The sketch of a jacobian [M, d], row-major. Random choices come from `random`.
  virtual Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const = 0;

  /// The jacobian [M, d] that a sketch stands for. Throws Error on a sketch of another shape.
  virtual void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const = 0;

  /// How many numbers of four bytes a sketch of an [M, d] jacobian sends, index costs counted.
  virtual std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const = 0;

  virtual GramianProtocol protocol() const { return GramianProtocol::kOneWay; }

  /// The arrays of a sketch that can be added, with their sizes. If all clients compress with the same `random`, the mean of these arrays
  /// is the sketch of the mean jacobian, or for kOwnGramians of the mean Gramian; what else a sketch holds is the same in all. Empty, the
  /// default, means that a sketch is not linear in the jacobian, so that the server needs each client's own.
  virtual std::map<std::string, std::size_t> summable(std::size_t, std::size_t) const { return {}; }
};

/// Every compressor by name.
Registry<std::unique_ptr<Compressor>(const Settings&)>& compressors();

/// The compressor a config asks for.
std::unique_ptr<Compressor> make_compressor(const Component& component);

}  // namespace paretofl
