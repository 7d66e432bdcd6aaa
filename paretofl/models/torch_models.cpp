#include "paretofl/models/torch_models.h"

#include <map>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/models/cifar_cnn_torch.h"
#include "paretofl/models/conv_net_torch.h"
#include "paretofl/models/mpnn_torch.h"
#include "paretofl/models/resnet18_torch.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_model.h"

namespace paretofl {

Model* paretofl_make_torch_model(const char* name, const Head* heads, std::size_t count) {
  static const std::map<std::string_view, TorchGraph (*)(const std::vector<Head>&)> kGraphs = {
      {"cifar_cnn", cifar_cnn_graph}, {"lenet_torch", [](const std::vector<Head>& heads) { return conv_net_graph(kLenet, heads); }},
      {"resnet18", resnet18_graph},   {"small_cnn_torch", [](const std::vector<Head>& heads) { return conv_net_graph(kSmallCnn, heads); }},
      {"mpnn", mpnn_graph},
  };
  const auto found = kGraphs.find(name);
  expect(found != kGraphs.end(), "model: expected a LibTorch model, found '{}'", name);
  return new TorchModel(found->second({heads, heads + count}));
}

}  // namespace paretofl
