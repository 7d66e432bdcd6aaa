#include "paretofl/language/token_head_torch.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "paretofl/language/decoder_ops_torch.h"

namespace paretofl {

at::Tensor token_logits(const DecoderWeights& weights, const at::Tensor& hidden) {
  const at::Tensor logits = at::mm(hidden, weights.head.t());
  return capped(logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat), weights.logit_cap);
}

TokenOutlook token_outlook(const DecoderWeights& weights, const at::Tensor& hidden, const at::Tensor& targets, const TokenWishes& wishes) {
  constexpr std::int64_t kRows = 256;
  const at::NoGradGuard no_grad;
  TokenOutlook outlook;
  const auto append = [](std::vector<double>& to, const at::Tensor& column) {
    const at::Tensor part = column.to(at::kCPU, at::kDouble).contiguous();
    to.insert(to.end(), part.data_ptr<double>(), part.data_ptr<double>() + part.numel());
  };
  if (wishes.slopes) outlook.slopes = at::empty_like(hidden);
  if (wishes.entropy_slopes) outlook.entropy_slopes = at::empty_like(hidden);
  for (std::int64_t begin = 0; begin < hidden.size(0); begin += kRows) {
    const std::int64_t count = std::min(kRows, hidden.size(0) - begin);
    const at::Tensor ids = targets.narrow(0, begin, count);
    at::Tensor logits = token_logits(weights, hidden.narrow(0, begin, count));
    // Derivatives of capped logits with respect to what the cap is applied to.
    const bool derive = wishes.slopes || wishes.entropy_slopes;
    const at::Tensor by_cap = derive && weights.logit_cap > 0 ? 1 - (logits / weights.logit_cap).square() : at::Tensor();
    const auto through_cap = [&](const at::Tensor& factors) { return by_cap.defined() ? factors * by_cap : factors; };
    if (wishes.temperature != 1) logits.div_(wishes.temperature);
    at::Tensor all = at::log_softmax(logits, -1);
    append(outlook.logprobs, all.gather(1, ids.unsqueeze(1)));
    if (!wishes.slopes && !wishes.entropies && !wishes.entropy_slopes) continue;
    const bool with_entropies = wishes.entropies || wishes.entropy_slopes;
    const at::Tensor probabilities = with_entropies ? all.exp() : all.exp_();
    const at::Tensor weighted = with_entropies ? all.mul_(probabilities) : at::Tensor();  // p log p
    const at::Tensor mean = at::mm(through_cap(probabilities).to(weights.head.scalar_type()), weights.head);
    if (wishes.slopes) {
      at::Tensor own = weights.head.index_select(0, ids);
      if (by_cap.defined()) own = own * by_cap.gather(1, ids.unsqueeze(1)).to(own.scalar_type());
      const at::Tensor slopes = own - mean;
      outlook.slopes.narrow(0, begin, count).copy_(wishes.temperature == 1 ? slopes : slopes / wishes.temperature);
    }
    if (!weighted.defined()) continue;
    const at::Tensor entropy = weighted.sum(-1, true).neg_();  // [count, 1]
    if (wishes.entropies) append(outlook.entropies, entropy);
    if (!wishes.entropy_slopes) continue;
    const at::Tensor pull =
        at::mm(through_cap(weighted).to(weights.head.scalar_type()), weights.head) + entropy.to(mean.scalar_type()) * mean;
    outlook.entropy_slopes.narrow(0, begin, count).copy_(pull / -wishes.temperature);
  }
  return outlook;
}

}  // namespace paretofl
