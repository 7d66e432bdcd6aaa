#include "paretofl/models/multi_head_shape.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

void check(const Head& head) {
  const bool fits = !head.has_labels()           ? head.outputs == 1 && head.level > 0 && head.level < 1
                    : head.loss == Loss::kBinary ? head.outputs == 1
                                                 : head.loss == Loss::kNll && head.outputs >= 2 && head.outputs <= 256;
  expect(fits, "model: expected a head with one output, or with 2 to 256 classes; found one of {} outputs with the loss {} and level {}",
         head.outputs, to_text(head.loss), head.level);
}

}  // namespace

std::shared_ptr<const Layout> multi_head_layout(const MultiHeadShape& shape, const std::vector<Head>& heads) {
  expect(!heads.empty(), "model: expected at least one objective, found none");
  std::vector<Slice> slices;
  const auto add = [&](const std::string& layer, int head, std::size_t out, std::size_t in) {
    expect(in > 0 && out > 0, "model: expected layers of positive width, found {} to {} in {}", in, out, layer);
    const auto rows = static_cast<std::int64_t>(out);
    slices.push_back({.name = layer + ".weight", .shape = {rows, static_cast<std::int64_t>(in)}, .head = head, .range = {}});
    slices.push_back({.name = layer + ".bias", .shape = {rows}, .head = head, .range = {}});
  };
  std::size_t width = shape.inputs;
  for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
    add(fmt::format("body.{}", l), Slice::kShared, shape.hidden[l], width);
    width = shape.hidden[l];
  }
  for (std::size_t k = 0; k < heads.size(); ++k) {
    check(heads[k]);
    add(fmt::format("head{}", k), shape.hidden.empty() ? Slice::kShared : static_cast<int>(k), heads[k].outputs, width);
  }
  return std::make_shared<Layout>(std::move(slices));
}

}  // namespace paretofl
