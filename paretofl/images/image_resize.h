#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace paretofl {

/// Resizes each of `channels` planes to another height and width, as PIL's resize(BILINEAR) does (the authors of FedCMOO
/// use it): each output pixel is a weighted mean of the input pixels around its centre, the weights falling linearly
/// to 0 at a distance of one pixel of the coarser image, so that a smaller image has no aliases. Columns first, then
/// rows, each rounded to bytes; integer arithmetic, so the same on every machine.
/// in: [channels, in_height, in_width], out: [channels, out_height, out_width]. Throws Error unless sizes are as said
/// and at least 1.
void resize_bilinear(std::span<const std::uint8_t> in, std::size_t in_height, std::size_t in_width, std::size_t channels,
                     std::span<std::uint8_t> out, std::size_t out_height, std::size_t out_width);

}  // namespace paretofl
