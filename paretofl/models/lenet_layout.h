#pragma once

#include <memory>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/models/head.h"

namespace paretofl {

/// The multi-digit LeNet of the FedCMOO experiments (MultiMNIST, MNIST+FMNIST), for M objectives of ten
/// classes. Encoder: image 1x28x28, conv 1->10 (3x3, padding 1), max-pool 2, ReLU, conv 10->15 (3x3),
/// max-pool 2, ReLU, 540 -> 50, ReLU, dropout 1/2. Head of each objective: 50 -> 50, ReLU, dropout 1/2,
/// 50 -> 10. d = 28,515 + 3,060 M.
inline constexpr std::size_t kLenetImage = 28;  ///< image height and width
inline constexpr std::size_t kLenetChannels1 = 10;
inline constexpr std::size_t kLenetChannels2 = 15;
inline constexpr std::size_t kLenetFlat = 540;     ///< kLenetChannels2 x 6 x 6
inline constexpr std::size_t kLenetFeatures = 50;  ///< units of the encoder's output and of the heads
inline constexpr std::size_t kLenetClasses = 10;

/// Slices encoder.{conv1,conv2,fc}.{weight,bias}, then head<k>.{fc1,fc2}.{weight,bias}. Throws Error
/// unless every head has ten classes and the loss kNll or kL2.
std::shared_ptr<const Layout> lenet_layout(const std::vector<Head>& heads);

}  // namespace paretofl
