#include "paretofl/language/token_head_torch.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace paretofl {

at::Tensor token_logits(const DecoderWeights& weights, const at::Tensor& hidden) {
  const at::Tensor logits = at::mm(hidden, weights.head.t());
  return logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat);
}

std::vector<double> token_logprobs(const DecoderWeights& weights, const at::Tensor& hidden, const at::Tensor& targets, at::Tensor* slopes) {
  constexpr std::int64_t kRows = 256;
  const at::NoGradGuard no_grad;
  std::vector<double> logprobs;
  if (slopes != nullptr) *slopes = at::empty_like(hidden);
  for (std::int64_t begin = 0; begin < hidden.size(0); begin += kRows) {
    const std::int64_t count = std::min(kRows, hidden.size(0) - begin);
    const at::Tensor ids = targets.narrow(0, begin, count);
    at::Tensor all = at::log_softmax(token_logits(weights, hidden.narrow(0, begin, count)), -1);
    const at::Tensor part = all.gather(1, ids.unsqueeze(1)).to(at::kCPU, at::kDouble).contiguous();
    logprobs.insert(logprobs.end(), part.data_ptr<double>(), part.data_ptr<double>() + count);
    if (slopes == nullptr) continue;
    const at::Tensor mean = at::mm(all.exp_().to(weights.head.scalar_type()), weights.head);
    slopes->narrow(0, begin, count).copy_(weights.head.index_select(0, ids) - mean);
  }
  return logprobs;
}

}  // namespace paretofl
