#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/language/checkpoint_torch.h"
#include "paretofl/language/packed_attention_torch.h"
#include "paretofl/language/packed_tokens_torch.h"
#include "paretofl/language/trainable_decoder_plugin.h"
#include "paretofl/model_files/decoder_slices.h"
#include "paretofl/model_files/safetensors_folder.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {
namespace {

constexpr const char* kScoreHead = "score.weight";

std::shared_ptr<const Layout> decoder_layout(const LanguageModelConfig& config, DecoderHead head) {
  std::vector<Slice> slices = decoder_slices(config, head == DecoderHead::kLanguage);
  if (head == DecoderHead::kScore) slices.push_back({.name = kScoreHead, .shape = {1, config.hidden_size}, .range = {}});
  return std::make_shared<const Layout>(std::move(slices));
}

// Where the language head's gradient goes, as autograd does not see that part.
struct HeadGradient {
  double loss = 0;
  at::Tensor by_hidden;  // [N, H]
  at::Tensor by_head;    // [V, H]
};

// The negative log-likelihood of targets [N] after hidden states [N, H] and, where asked for, its derivatives: with p the
// predicted probabilities less one at the target, p times the head and p's transpose times the hidden states. A few hundred
// rows of p exist at a time.
HeadGradient next_token_head(const DecoderWeights& weights, const at::Tensor& hidden, const at::Tensor& targets, bool derive) {
  constexpr std::int64_t kRows = 256;
  const at::NoGradGuard no_grad;
  const at::Tensor head = weights.head.detach();
  HeadGradient result;
  if (derive) {
    result.by_hidden = at::empty_like(hidden);
    result.by_head = at::zeros_like(head);
  }
  for (std::int64_t begin = 0; begin < hidden.size(0); begin += kRows) {
    const std::int64_t count = std::min(kRows, hidden.size(0) - begin);
    const at::Tensor rows = hidden.narrow(0, begin, count);
    const at::Tensor ids = targets.narrow(0, begin, count).unsqueeze(1);
    const at::Tensor logits = capped(at::mm(rows, head.t()), weights.logit_cap);
    at::Tensor p = at::log_softmax(logits, -1);
    result.loss -= p.gather(1, ids).to(at::kDouble).sum().item<double>();
    if (!derive) continue;
    p.exp_().scatter_add_(1, ids, at::full({1, 1}, -1, p.options()).expand({count, 1}));
    if (weights.logit_cap > 0) p.mul_(1 - (logits / weights.logit_cap).square());
    at::Tensor by_rows = result.by_hidden.narrow(0, begin, count);
    at::mm_out(by_rows, p, head);
    result.by_head.addmm_(p.t(), rows);
  }
  return result;
}

class TorchTrainableDecoder : public TrainableDecoder {
 public:
  TorchTrainableDecoder(const LanguageModelConfig& config, DecoderHead head, const ModelPlacement& placement)
      : config_(config), head_(head), place_(placement), layout_(decoder_layout(config, head)) {}

  const LanguageModelConfig& config() const override { return config_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }

  void initialize(Random random, std::span<float> theta) const override {
    check_size("parameters", theta.size());
    pin_torch_thread();
    const TensorLookup fresh = random_tensors(config_, random, {});
    for (const Slice& slice : layout_->slices()) copy(fresh(slice.name, slice.shape), slice, theta);
  }

  void load(const std::filesystem::path& folder, Random random, std::span<float> theta) const override {
    check_size("parameters", theta.size());
    pin_torch_thread();
    const TensorLookup stored = stored_tensors(folder, config_.num_hidden_layers, {});
    const TensorLookup fresh = random_tensors(config_, random, {});
    const bool has_score = SafetensorsFolder(folder).contains(kScoreHead);
    for (const Slice& slice : layout_->slices()) {
      copy((slice.name == kScoreHead && !has_score ? fresh : stored)(slice.name, slice.shape), slice, theta);
    }
  }

  double next_token_loss(std::span<const TokenIds> sequences, std::span<const float> theta, std::span<float> gradient) const override {
    expect(head_ == DecoderHead::kLanguage, "trainable decoder: expected a language head, found a score head");
    const Pass pass(*this, theta, !gradient.empty());
    const PackedTokens tokens = pack(sequences, config_, pass.device());
    std::vector<std::int64_t> sources;  // tokens with a next one in their sequence
    std::int64_t begin = 0;
    for (const std::int64_t length : tokens.lengths) {
      for (std::int64_t t = 0; t + 1 < length; ++t) sources.push_back(begin + t);
      begin += length;
    }
    const at::Tensor selected = at::tensor(sources, at::kLong).to(pass.device());
    PackedAttention attention(tokens.lengths);
    const at::Tensor hidden = pass.decoder.hidden(
        {.ids = tokens.ids, .positions = tokens.positions, .selected = selected, .lengths = tokens.reach}, attention, {});
    const HeadGradient head =
        next_token_head(pass.decoder.weights(), hidden.detach(), tokens.ids.index_select(0, selected + 1), !gradient.empty());
    if (gradient.empty()) return head.loss;
    check_size("numbers in the gradient", gradient.size());
    pass.differentiate(hidden, head.by_hidden, gradient);
    const Slice& slice = layout_->slice(config_.tie_word_embeddings ? layout_->slices().front().name : "lm_head.weight");
    const at::Tensor sum = head.by_head.to(at::kCPU, at::kFloat).contiguous();
    const auto* values = sum.data_ptr<float>();
    for (std::size_t i = 0; i < slice.range.size(); ++i) gradient[slice.range.begin + i] += values[i];
    return head.loss;
  }

  std::vector<double> scores(std::span<const TokenIds> sequences, std::span<const float> theta, const ScoreGradients& losses,
                             std::span<float> gradient) const override {
    expect(head_ == DecoderHead::kScore, "trainable decoder: expected a score head, found a language head");
    const Pass pass(*this, theta, !gradient.empty());
    const at::Tensor scores = decoder_scores(pass.decoder, pass.leaves.back(), pack(sequences, config_, pass.device()));
    const at::Tensor wide = scores.detach().to(at::kCPU, at::kDouble).contiguous();
    std::vector<double> values(wide.data_ptr<double>(), wide.data_ptr<double>() + wide.numel());
    if (gradient.empty()) return values;
    check_size("numbers in the gradient", gradient.size());
    std::vector<double> slopes(values.size());
    losses(values, slopes);
    const at::Tensor seed = at::from_blob(slopes.data(), scores.sizes(), at::kDouble);
    pass.differentiate(scores, seed.to(scores.device(), scores.scalar_type()), gradient);
    return values;
  }

 private:
  // Theta as leaves, one per slice, and the decoder on them.
  struct Pass {
    Pass(const TorchTrainableDecoder& owner, std::span<const float> theta, bool derive)
        : owner(owner), leaves(owner.leaves(theta, derive)), decoder(owner.config_, {.rank = 0}, owner.weights(leaves)), guard(derive) {}

    at::Device device() const { return leaves.front().device(); }

    void differentiate(const at::Tensor& output, const at::Tensor& seed, std::span<float> gradient) const {
      std::vector<at::Tensor> inputs = leaves;
      // Only the head uses it, outside of this graph.
      const bool own_head = owner.layout_->slices().back().name == "lm_head.weight";
      if (own_head) inputs.pop_back();
      const std::vector<at::Tensor> rows = torch::autograd::grad({output}, inputs, {seed});
      for (std::size_t i = 0; i < rows.size(); ++i) copy(rows[i], owner.layout_->slices()[i], gradient);
      if (own_head) std::fill(gradient.end() - leaves.back().numel(), gradient.end(), 0.0F);
    }

    const TorchTrainableDecoder& owner;
    std::vector<at::Tensor> leaves;
    Decoder decoder;
    at::AutoGradMode guard;
  };

  void check_size(const char* what, std::size_t found) const {
    expect(found == layout_->size(), "trainable decoder: expected {} {}, found {}", layout_->size(), what, found);
  }

  std::vector<at::Tensor> leaves(std::span<const float> theta, bool derive) const {
    check_size("parameters", theta.size());
    pin_torch_thread();
    std::vector<at::Tensor> leaves;
    for (const Slice& slice : layout_->slices()) {
      // LibTorch has no read-only tensors; this one is not written to.
      at::Tensor leaf = place_.place(at::from_blob(const_cast<float*>(theta.data() + slice.range.begin), slice.shape, at::kFloat));
      leaves.push_back(leaf.set_requires_grad(derive));
    }
    return leaves;
  }

  DecoderWeights weights(const std::vector<at::Tensor>& leaves) const {
    const auto& slices = layout_->slices();
    const TensorLookup find = [&](const std::string& name, const std::vector<std::int64_t>&) {
      const auto at = std::find_if(slices.begin(), slices.end(), [&name](const Slice& slice) { return slice.name == name; });
      return leaves[static_cast<std::size_t>(at - slices.begin())];
    };
    return make_decoder_weights(config_, find, head_ == DecoderHead::kLanguage);
  }

  static void copy(const at::Tensor& tensor, const Slice& slice, std::span<float> out) {
    const at::Tensor values = tensor.to(at::kCPU, at::kFloat).contiguous();
    std::copy_n(values.data_ptr<float>(), slice.range.size(), out.data() + slice.range.begin);
  }

  LanguageModelConfig config_;
  DecoderHead head_;
  TensorPlacement place_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace

TrainableDecoder* paretofl_make_trainable_decoder(const LanguageModelConfig& config, DecoderHead head, const ModelPlacement& placement) {
  return new TorchTrainableDecoder(config, head, placement);
}

}  // namespace paretofl
