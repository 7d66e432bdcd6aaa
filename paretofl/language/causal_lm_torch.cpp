#include "paretofl/language/causal_lm_torch.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/language/completion_batch_torch.h"
#include "paretofl/language/generation_torch.h"
#include "paretofl/language/lane_weights_torch.h"
#include "paretofl/language/packed_attention_torch.h"
#include "paretofl/language/rope.h"
#include "paretofl/language/rounded_logits_torch.h"
#include "paretofl/language/token_head_torch.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {

TorchCausalLm::TorchCausalLm(const LanguageModelConfig& config, const LoraOptions& lora, DecoderWeights weights,
                             const ModelPlacement& placement)
    : config_(config),
      drops_out_(lora.dropout > 0),
      recompute_(placement.gradient_checkpointing),
      shared_prompts_(placement.shared_prompts),
      layout_(lora_layout(config, lora)),
      decoder_(config, lora, std::move(weights)) {}

void TorchCausalLm::initialize_adapter(Random random, std::span<float> adapter) const { initialize_lora(*layout_, random, adapter); }

void TorchCausalLm::check(std::span<const TokenId> ids, std::int64_t further) const {
  expect(!ids.empty(), "language model: expected at least one token, found none");
  constexpr std::int64_t kFar = std::int64_t{1} << 40;  // so that the sum cannot overflow
  const auto length = static_cast<std::int64_t>(ids.size()) + std::min(further, kFar);
  expect(length <= config_.max_position_embeddings,
         "language model: expected at most {} tokens, as many as the model has positions, found {}", config_.max_position_embeddings,
         length);
  for (const TokenId id : ids) {
    expect(id >= 0 && id < config_.vocab_size, "language model: expected token ids below {}, found {}", config_.vocab_size, id);
  }
}

void TorchCausalLm::check_adapter(std::span<const float> adapter) const {
  expect(adapter.empty() || adapter.size() == layout_->size(), "language model: expected an adapter of {} numbers or none, found {}",
         layout_->size(), adapter.size());
}

void TorchCausalLm::check_temperature(double temperature) {
  expect(temperature > 0 && std::isfinite(temperature), "language model: expected a temperature above 0, found {}", temperature);
}

void TorchCausalLm::check_weights(GenerationWeights weights) const {
  expect(generates_with(weights),
         "language model: expected float32 parameters on the CPU, with maps of their own for queries, keys and values, to generate with "
         "int8 weights, found {} on {}{}",
         c10::toString(decoder_.weights().tokens.scalar_type()), decoder_.weights().tokens.device().str(),
         config_.fused_projections ? " with fused maps" : "");
}

const Int8Weights& TorchCausalLm::rounded() const {
  std::call_once(rounding_, [&] { rounded_ = int8_weights(decoder_); });
  return rounded_;
}

at::Tensor TorchCausalLm::to_device(const std::vector<std::int64_t>& values) const {
  return at::tensor(values, at::kLong).to(decoder_.weights().tokens.device());
}

std::vector<at::Tensor> TorchCausalLm::leaves(std::span<const float> adapter) const {
  std::vector<at::Tensor> leaves;
  if (adapter.empty()) return leaves;
  const at::Tensor& like = decoder_.weights().tokens;
  const at::ScalarType type = like.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  for (const Slice& slice : layout_->slices()) {
    const auto values = adapter.subspan(slice.range.begin, slice.range.size());
    // LibTorch has no read-only tensors; this one is not written to.
    leaves.push_back(at::from_blob(const_cast<float*>(values.data()), slice.shape).to(like.device(), type));
  }
  return leaves;
}

std::vector<at::Tensor> TorchCausalLm::stored_slices(std::span<const float> adapter) const {
  std::vector<at::Tensor> slices = leaves(adapter);
  for (at::Tensor& slice : slices) slice = slice.to(decoder_.weights().tokens.scalar_type());
  return slices;
}

void TorchCausalLm::check_rope(std::size_t prompt, std::int64_t further) const {
  const auto length = static_cast<std::int64_t>(prompt);
  if (!may_cross_original_length(config_, length, further)) return;
  throw Error(fmt::format(
      "language model: expected a prompt of more than {} tokens, or one of at most as many with its completion, since a longrope "
      "has other frequencies beyond them, found {} with {} to come",
      config_.rope_scaling->original_max_position_embeddings, length, further));
}

CompletionBatch TorchCausalLm::batch(std::span<const TokenSequence> sequences) const {
  for (const TokenSequence& sequence : sequences) check(sequence.ids);
  return completion_batch(sequences, config_, shared_prompts_, decoder_.weights().tokens.device());
}

std::vector<float> TorchCausalLm::logits(std::span<const TokenId> ids, std::span<const float> adapter, GenerationWeights weights) const {
  check(ids);
  check_adapter(adapter);
  check_weights(weights);
  pin_torch_thread();
  const at::NoGradGuard no_grad;
  if (weights == GenerationWeights::kInt8) return rounded_logits(decoder_, stored_slices(adapter), ids, rounded());
  const std::vector<std::int64_t> tokens(ids.begin(), ids.end());
  const auto length = static_cast<std::int64_t>(ids.size());
  const auto numbers = decoder_.weights().tokens.options().dtype(at::kLong);
  const DecoderInput input{
      .ids = to_device(tokens), .positions = at::arange(length, numbers), .selected = {}, .lengths = at::full({length}, length, numbers)};
  PackedAttention attention({length});
  const at::Tensor hidden = decoder_.hidden(input, attention, {.slices = leaves(adapter), .rows = length});
  const at::Tensor logits = token_logits(decoder_.weights(), hidden).to(at::kCPU, at::kFloat).contiguous();
  return {logits.data_ptr<float>(), logits.data_ptr<float>() + logits.numel()};
}

bool TorchCausalLm::generates_with(GenerationWeights weights) const {
  return weights == GenerationWeights::kFloat32 || fits_lanes(decoder_);
}

std::vector<Completion> TorchCausalLm::generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                                GenerationExtras extras, Random random) const {
  for (const TokenIds& prompt : prompts) {
    check(prompt, sampling.max_new_tokens);
    check_rope(prompt.size(), sampling.max_new_tokens);
  }
  check_adapter(adapter);
  check_weights(sampling.weights);
  if (prompts.empty()) return {};
  pin_torch_thread();
  const at::NoGradGuard no_grad;
  const Int8Weights* in_8_bits = sampling.weights == GenerationWeights::kInt8 ? &rounded() : nullptr;
  return Generation(config_, decoder_, stored_slices(adapter), prompts, sampling, extras, random, in_8_bits).run();
}

std::vector<std::vector<float>> TorchCausalLm::logprobs(std::span<const TokenSequence> sequences, std::span<const float> adapter,
                                                        double temperature, std::vector<float>* states) const {
  // Sequences that are computed at once: enough tokens for full matrix products, few enough to stay in caches.
  constexpr std::size_t kMaxTokens = 2048;
  check_adapter(adapter);
  check_temperature(temperature);
  pin_torch_thread();
  const at::NoGradGuard no_grad;
  const std::vector<at::Tensor> slices = leaves(adapter);
  std::vector<std::vector<float>> result;
  if (states != nullptr) states->clear();
  for (std::size_t begin = 0, end = 0; begin < sequences.size(); begin = end) {
    for (std::size_t tokens = 0; end < sequences.size() && (end == begin || tokens + sequences[end].ids.size() <= kMaxTokens); ++end) {
      tokens += sequences[end].ids.size();
    }
    CompletionBatch part = batch(sequences.subspan(begin, end - begin));
    const at::Tensor hidden =
        part.by_target(decoder_.hidden(part.input, part.attention, {.slices = slices, .rows = part.input.ids.size(0)}));
    const std::vector<double> logprobs = token_outlook(decoder_.weights(), hidden, part.targets, {.temperature = temperature}).logprobs;
    if (states != nullptr) {
      const at::Tensor part_states = hidden.to(at::kCPU, at::kFloat).contiguous();
      states->insert(states->end(), part_states.data_ptr<float>(), part_states.data_ptr<float>() + part_states.numel());
    }
    auto next = logprobs.begin();
    for (const TokenSequence& sequence : sequences.subspan(begin, end - begin)) {
      result.emplace_back(next, next + static_cast<std::ptrdiff_t>(sequence.completion_length));
      next += static_cast<std::ptrdiff_t>(sequence.completion_length);
    }
  }
  return result;
}

void TorchCausalLm::jacobian(std::span<const TokenSequence> sequences, std::span<const float> adapter, const Random* dropout,
                             const LogprobGradients& losses, std::span<float> jacobian, ActivationGradients activations,
                             const TokenTerms& terms) const {
  const std::size_t size = layout_->size();
  const auto width = static_cast<std::size_t>(config_.hidden_size);
  expect(size > 0, "language model: expected an adapter to differentiate, found a model without one");
  expect(adapter.size() == size, "language model: expected an adapter of {} numbers, found {}", size, adapter.size());
  expect(!jacobian.empty() && jacobian.size() % size == 0, "language model: expected room for whole gradients of {} numbers, found {}",
         size, jacobian.size());
  expect(activations.rows.size() % width == 0, "language model: expected room for whole activations of {} numbers, found {}", width,
         activations.rows.size());
  expect(activations.layer >= -1 && activations.layer < config_.num_hidden_layers,
         "language model: expected a layer from 0 to {}, or -1 for the last hidden states, found {}", config_.num_hidden_layers - 1,
         activations.layer);
  check_temperature(terms.temperature);
  pin_torch_thread();
  CompletionBatch whole = batch(sequences);
  const std::size_t tokens = static_cast<std::size_t>(whole.targets.size(0));
  expect(terms.entropy_slopes.empty() || terms.entropy_slopes.size() == tokens,
         "language model: expected a derivative for the entropy of each of {} tokens or none, found {}", tokens,
         terms.entropy_slopes.size());
  std::vector<at::Tensor> slices = leaves(adapter);
  for (at::Tensor& slice : slices) slice.set_requires_grad(true);
  DecoderTap tap{.layer = activations.layer};
  const at::Tensor hidden = whole.by_target(
      decoder_.hidden(whole.input, whole.attention,
                      {.slices = slices, .dropout = dropout, .rows = whole.input.ids.size(0), .recompute = recompute_}, &tap));
  // Behind the hidden states all losses share one derivative per token.
  const TokenOutlook outlook = token_outlook(
      decoder_.weights(), hidden.detach(), whole.targets,
      {.temperature = terms.temperature, .slopes = true, .entropies = terms.entropies, .entropy_slopes = !terms.entropy_slopes.empty()});
  const std::vector<double>& logprobs = outlook.logprobs;
  const at::Tensor states = hidden.detach().to(at::kCPU, at::kFloat).contiguous();
  const std::size_t count = jacobian.size() / size;
  const std::size_t further = activations.rows.size() / width;
  std::vector<double> gradients((count + further) * logprobs.size());
  losses({.logprobs = logprobs,
          .hidden = {states.data_ptr<float>(), static_cast<std::size_t>(states.numel())},
          .entropies = outlook.entropies},
         gradients);
  const auto scaled = [&](const at::Tensor& slopes, const double* by) {
    // LibTorch has no read-only tensors; this one is not written to.
    const at::Tensor factor = at::from_blob(const_cast<double*>(by), {hidden.size(0), 1}, at::kDouble);
    return slopes * factor.to(slopes.device(), slopes.scalar_type());
  };
  // The derivative of loss k with respect to the last hidden states.
  const auto seed = [&](std::size_t k) {
    const at::Tensor of_logprobs = scaled(outlook.slopes, gradients.data() + k * logprobs.size());
    if (k > 0 || terms.entropy_slopes.empty()) return of_logprobs;
    return of_logprobs + scaled(outlook.entropy_slopes, terms.entropy_slopes.data());
  };
  for (std::size_t k = 0; k < further; ++k) {
    const at::Tensor last = seed(count + k);
    const at::Tensor at_layer = activations.layer < 0 ? last : torch::autograd::grad({hidden}, {tap.states}, {last}, true).front();
    const at::Tensor row = at_layer.to(at::kDouble).sum(0).to(at::kCPU).contiguous();
    std::copy_n(row.data_ptr<double>(), width, activations.rows.data() + k * width);
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<at::Tensor> parts = torch::autograd::grad({hidden}, slices, {seed(k)}, k + 1 < count);
    for (at::Tensor& part : parts) part = part.reshape(-1);
    const at::Tensor row = at::cat(parts).to(at::kCPU, at::kFloat);  // one copy from a device; slices follow one another
    std::copy_n(row.data_ptr<float>(), size, jacobian.data() + k * size);
  }
}

}  // namespace paretofl
