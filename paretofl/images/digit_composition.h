#pragma once

#include <cstdint>
#include <filesystem>

#include "paretofl/core/random.h"
#include "paretofl/images/image_splits.h"

namespace paretofl {

/// Two images on one black canvas: `first` with its corner at (0, 0), `second` at (offset, offset), the
/// larger value where they overlap, resized to 28 x 28 by the nearest neighbour (output index i shows
/// canvas index floor(i * canvas / 28)). All images are 28 x 28. Writes [28, 28].
void overlay(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second, std::size_t canvas, std::size_t offset,
             std::span<std::uint8_t> out);

/// MultiMNIST as the code of FedCMOO's authors composes it (its appendix D.1 has no numbers): a 36 x 36 canvas,
/// second digit at (6, 6). Sample i has digit i at the left and a digit drawn uniformly with replacement at the
/// right. Objectives "left" and "right". Training images that are held out for validation are chosen of these, so that the right digit of
/// one, whose partner is drawn of all training digits, may be a digit of images that clients train on. Test images have digits of their
/// own. Throws Error unless the digits are 28 x 28 with one objective.
ImageDataset compose_multimnist(const ImageDataset& digits, Random random);

/// MNIST+FMNIST: a 42 x 42 canvas, second image at (14, 14). Sample i has digit i and the garment that a
/// random permutation gives it, each used once. Objectives "mnist" and "fashion". Throws Error like above
/// or unless there are as many digits as garments.
ImageDataset compose_mnist_fmnist(const ImageDataset& digits, const ImageDataset& garments, Random random);

/// Both splits from the IDX files in root/mnist and root/fashion_mnist, composed with streams of the seed.
ImageSplits load_multimnist(const std::filesystem::path& root, std::uint64_t seed);
ImageSplits load_mnist_fmnist(const std::filesystem::path& root, std::uint64_t seed);

}  // namespace paretofl
