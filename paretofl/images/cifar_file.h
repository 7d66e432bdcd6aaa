#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "paretofl/data/data_part.h"
#include "paretofl/images/image_dataset.h"

namespace paretofl {

inline constexpr std::size_t kCifarSide = 32;
inline constexpr std::size_t kCifarClasses = 10;

/// CIFAR-10 without images yet: 3x32x32, one objective of that name with ten classes.
ImageDataset empty_cifar(const std::string& objective);

/// Appends the records of a file of CIFAR-10's binary version: a label byte, then 32 x 32 red, green and blue
/// pixels each, any number of times. Throws Error naming `name` unless the file is whole records with labels
/// below ten.
void append_cifar_records(std::span<const std::uint8_t> content, const std::string& name, ImageDataset& images);

/// The same of a file.
void append_cifar_file(const std::filesystem::path& file, ImageDataset& images);

/// Where the part's files of the binary version are: the folder itself or its cifar-10-batches-bin/; empty where the
/// first of them is in neither.
std::filesystem::path find_cifar_batches(const std::filesystem::path& folder, DataPart part);

/// A part of CIFAR-10 from a folder, in whichever form is there, looked for in this order:
/// - the binary version, data_batch_1.bin to data_batch_5.bin and test_batch.bin, in the folder itself or in
///   cifar-10-batches-bin/;
/// - JPEG files train/CLASS/*.jpg and test/CLASS/*.jpg, with the official names of the classes; the samples come
///   by class and by file name. JPEG is lossy, so accuracies are not those of the published pixels.
/// Throws Error naming the file or the folder.
ImageDataset read_cifar10(const std::filesystem::path& folder, DataPart part, const std::string& objective);

}  // namespace paretofl
