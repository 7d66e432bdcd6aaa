#include "paretofl/models/registry.h"

#include "paretofl/models/lenet.h"
#include "paretofl/models/plugin.h"

namespace paretofl {

const Registry<ModelFactory>& models() {
  static const Registry<ModelFactory> kRegistry(
      "model",
      {
          {{"lenet", "LeNet of the digit sets, own kernels", "FedCMOO, appendix D", [](OptionVisitor&) {}},
           [](int num_objectives) { return std::make_unique<Lenet>(num_objectives); }},
          {{"lenet_torch", "LeNet of the digit sets, by LibTorch", "FedCMOO, appendix D", [](OptionVisitor&) {}},
           [](int num_objectives) { return make_from_plugin("libparetofl_torch.so", "paretofl_make_lenet_torch", num_objectives); }},
      });
  return kRegistry;
}

std::unique_ptr<Model> make_model(std::string_view name, int num_objectives) { return models().at(name).make(num_objectives); }

}  // namespace paretofl
