#include "paretofl/models/torch_loss.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// Labels [m, N] as bits [m, N, C].
at::Tensor bits_of(const at::Tensor& labels, std::int64_t count) {
  return labels.unsqueeze(2).bitwise_right_shift(at::arange(count)).bitwise_and(1);
}

at::Tensor errors_of(const at::Tensor& outputs, const Truth& truth) { return outputs.squeeze(2) - truth.targets; }

at::Tensor losses_of(Loss loss, const at::Tensor& outputs, const Truth& truth) {
  const at::Tensor& labels = truth.labels;
  switch (loss) {
    case Loss::kSquaredError:
      return errors_of(outputs, truth).square().mean(1, false, at::kDouble);
    case Loss::kL2: {
      const at::Tensor one_hot = at::zeros_like(outputs).scatter(2, labels.unsqueeze(2), 1);
      return (at::softmax(outputs, 2) - one_hot).square().mean({1, 2}, false, at::kDouble);
    }
    case Loss::kBinary: {
      const at::Tensor bits = bits_of(labels, outputs.size(2)).to(outputs.scalar_type());
      return at::binary_cross_entropy_with_logits(outputs, bits, {}, {}, at::Reduction::None).mean({1, 2}, false, at::kDouble);
    }
    case Loss::kAbsoluteError:
    case Loss::kQuantile:
      throw Error(fmt::format("model: expected a loss that LibTorch's models have, found {}", to_text(loss)));
    case Loss::kNll:
      break;
  }
  return -at::log_softmax(outputs, 2).gather(2, labels.unsqueeze(2)).mean({1, 2}, false, at::kDouble);
}

at::Tensor scores_of(Loss loss, const at::Tensor& outputs, const Truth& truth) {
  if (loss == Loss::kSquaredError) return errors_of(outputs, truth).abs().sum(1, false, at::kDouble);
  const at::Tensor& labels = truth.labels;
  if (loss == Loss::kBinary) return (outputs > 0).eq(bits_of(labels, outputs.size(2))).to(at::kDouble).mean(2).sum(1);
  return outputs.argmax(2).eq(labels).to(at::kDouble).sum(1);
}

using OfOneLoss = at::Tensor (*)(Loss, const at::Tensor&, const Truth&);

Truth of_head(const Truth& truth, std::int64_t head) {
  const auto row = [head](const at::Tensor& all) { return all.defined() ? all.narrow(0, head, 1) : all; };
  return {.labels = row(truth.labels), .targets = row(truth.targets)};
}

// All heads at once if they are alike, as many of them usually are.
at::Tensor by_loss(const std::vector<Head>& heads, const at::Tensor& outputs, const Truth& truth, OfOneLoss function) {
  const auto differs = [&](const Head& head) { return head.loss != heads[0].loss; };
  if (std::none_of(heads.begin(), heads.end(), differs)) return function(heads[0].loss, outputs, truth);
  std::vector<at::Tensor> parts;
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    parts.push_back(function(heads[k].loss, outputs.narrow(0, at, 1), of_head(truth, at)));
  }
  return at::cat(parts);
}

}  // namespace

at::Tensor mean_losses(const std::vector<Head>& heads, const at::Tensor& outputs, const Truth& truth) {
  return by_loss(heads, outputs, truth, losses_of);
}

at::Tensor score_sums(const std::vector<Head>& heads, const at::Tensor& outputs, const Truth& truth) {
  return by_loss(heads, outputs, truth, scores_of);
}

}  // namespace paretofl
