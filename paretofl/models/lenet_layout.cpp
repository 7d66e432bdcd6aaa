#include "paretofl/models/lenet_layout.h"

#include "paretofl/core/error.h"

namespace paretofl {

std::shared_ptr<const Layout> lenet_layout(const std::vector<Head>& heads) {
  for (const Head& head : heads) {
    expect(head.outputs == kLenetClasses && (head.loss == Loss::kNll || head.loss == Loss::kL2),
           "lenet: expected objectives of {} classes with the loss nll or l2, found one of {} outputs with the loss {}", kLenetClasses,
           head.outputs, to_text(head.loss));
  }
  std::vector<Slice> slices;
  const auto add = [&](const std::string& layer, int head, std::vector<std::int64_t> shape) {
    const std::int64_t out = shape[0];
    slices.push_back({.name = layer + ".weight", .shape = std::move(shape), .head = head, .range = {}});
    slices.push_back({.name = layer + ".bias", .shape = {out}, .head = head, .range = {}});
  };
  add("encoder.conv1", Slice::kShared, {kLenetChannels1, 1, 3, 3});
  add("encoder.conv2", Slice::kShared, {kLenetChannels2, kLenetChannels1, 3, 3});
  add("encoder.fc", Slice::kShared, {kLenetFeatures, kLenetFlat});
  for (int k = 0; k < static_cast<int>(heads.size()); ++k) {
    const std::string head = fmt::format("head{}", k);
    add(head + ".fc1", k, {kLenetFeatures, kLenetFeatures});
    add(head + ".fc2", k, {kLenetClasses, kLenetFeatures});
  }
  return std::make_shared<Layout>(std::move(slices));
}

}  // namespace paretofl
