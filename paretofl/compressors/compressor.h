#pragma once

#include <memory>
#include <span>

#include "paretofl/core/random.h"
#include "paretofl/core/record.h"
#include "paretofl/core/registry.h"

namespace paretofl {

/// A lossy or exact picture of a jacobian [M, d] (row k the gradient of objective k) that is small on
/// the wire. Immutable, and safe to share between threads.
class Compressor {
 public:
  virtual ~Compressor() = default;

  /// The sketch of a jacobian [M, d], row-major. Random choices come from `random`.
  virtual Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const = 0;

  /// The jacobian [M, d] that a sketch stands for. Throws Error on a sketch of another shape.
  virtual void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const = 0;

  /// How many numbers a sketch of an [M, d] jacobian sends, index costs counted in numbers.
  virtual std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const = 0;

  /// Whether the server sends a sketch of the clients' sum back for a second, corrected estimate
  /// (FedCMOO Algorithm 6, two-way communication).
  virtual bool two_way() const { return false; }
};

/// Every compressor by name.
const Registry<std::unique_ptr<Compressor>(const Settings&)>& compressors();

/// The compressor a config asks for.
std::unique_ptr<Compressor> make_compressor(const Component& component);

}  // namespace paretofl
