#pragma once

#include <cstdint>
#include <filesystem>

#include "paretofl/images/image_splits.h"
#include "paretofl/workloads/image_classification.h"

namespace paretofl {

/// Lays a digit [28, 28] over the centre of an image [3, 32, 32]: where the digit is not black, every channel becomes
/// a mixture of 156 parts of the digit and 99 of the image, out of 255, rounded to the nearest.
void lay_digit_over(std::span<const std::uint8_t> digit, std::span<std::uint8_t> image);

/// CIFAR10+MNIST of FedCMOO as its authors' code composes it: image i carries digit i as it is (appendix D.1 speaks of
/// digits selected at random, cropped and resized). Objectives "cifar10" and "mnist". Throws Error unless there is a digit
/// for every image.
ImageDataset compose_cifar10_mnist(ImageDataset images, const ImageDataset& digits);

/// Both parts from root/cifar10 (read_cifar10) and root/mnist. As in the authors' code, inputs are normalized by
/// CIFAR-10's channels, rotated by a whole number of degrees with the nearest pixel, and a batch is mirrored with
/// probability 0.4. The seed plays no part.
ImageSplits load_cifar10_mnist(const std::filesystem::path& root, std::uint64_t seed);

/// The settings of the authors' code.
inline const ImageClassificationOptions kCifar10MnistDefaults{.samples_per_client = 500, .rotation_degrees = 30, .model = "cifar_cnn"};

}  // namespace paretofl
