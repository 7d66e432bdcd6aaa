#include "paretofl/models/registry.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/models/conv_net.h"
#include "paretofl/models/torch_library.h"
#include "paretofl/models/torch_models.h"

namespace paretofl {
namespace {

/// A network of conv_net_shape.h by own kernels.
Registry<ModelFactory>::Entry conv_net(const ConvNetShape& shape, std::string summary, std::string reference) {
  return {{shape.name, std::move(summary), std::move(reference), [](OptionVisitor&) {}},
          [shape](const std::vector<Head>& heads) { return std::make_unique<ConvNet>(shape, heads); }};
}

/// The same network with its second convolution by Winograd's minimal filtering.
Registry<ModelFactory>::Entry winograd(const ConvNetShape& shape) {
  return {{fmt::format("{}_winograd", shape.name), fmt::format("{} with fewer multiplications and other rounding", shape.name),
           "Lavin and Gray 2016", [](OptionVisitor&) {}},
          [shape](const std::vector<Head>& heads) { return std::make_unique<ConvNet>(shape, heads, ConvolutionMethod::kWinograd); }};
}

/// A model that LibTorch computes.
Registry<ModelFactory>::Entry torch(const std::string& name, std::string summary, std::string reference) {
  return {{name, std::move(summary), std::move(reference), [](OptionVisitor&) {}}, [name](const std::vector<Head>& heads) {
            void* const make = library_function(kTorchLibrary, "paretofl_make_torch_model");
            return std::unique_ptr<Model>(
                reinterpret_cast<decltype(&paretofl_make_torch_model)>(make)(name.c_str(), heads.data(), heads.size()));
          }};
}

}  // namespace

Registry<ModelFactory>& models() {
  static Registry<ModelFactory> registry(
      "model", {
                   conv_net(kLenet, "LeNet of the digit sets, own kernels", "FedCMOO, appendix D"),
                   conv_net(kSmallCnn, "small network for 3x32x32 images and many objectives, own kernels", ""),
                   torch("cifar_cnn", "two convolutions and two hidden layers for 3x32x32 images, by LibTorch", "FedCMOO, appendix D"),
                   torch("lenet_torch", "LeNet of the digit sets, by LibTorch", "FedCMOO, appendix D"),
                   torch("resnet18", "ResNet-18 with group normalization for 3x32x32 images, by LibTorch", "FedCMOO, appendix D"),
                   torch("small_cnn_torch", "small_cnn by LibTorch", ""),
                   winograd(kLenet),
                   winograd(kSmallCnn),
                   torch("mpnn", "message passing on molecules, by LibTorch", "Gilmer et al. 2017; FedCMOO, appendix D"),
               });
  return registry;
}

std::unique_ptr<Model> make_model(std::string_view name, const std::vector<Head>& heads) {
  const auto& entry = models().at(name);
  expect(!heads.empty(), "{}: expected at least one objective, found none", name);
  std::unique_ptr<Model> model = entry.make(heads);
  expect(model != nullptr && static_cast<std::size_t>(model->num_objectives()) == heads.size(),
         "{}: expected a model of {} objectives, found {}", name, heads.size(), model == nullptr ? 0 : model->num_objectives());
  return model;
}

}  // namespace paretofl
