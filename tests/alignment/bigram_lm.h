#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// A language model whose next token depends on the last one alone: the adapter [V, V] holds the logits, and the
/// reference (no adapter) is uniform. Its gradients are exact in closed form. The hidden state is the last token, one-hot.
class BigramLm : public CausalLm {
 public:
  explicit BigramLm(std::size_t vocabulary) : vocabulary_(vocabulary), layout_(flat_layout("logits", vocabulary * vocabulary)) {
    config_.vocab_size = static_cast<std::int64_t>(vocabulary);
    config_.hidden_size = static_cast<std::int64_t>(vocabulary);
  }

  const LanguageModelConfig& config() const override { return config_; }
  const std::shared_ptr<const Layout>& adapter_layout() const override { return layout_; }
  void initialize_adapter(Random, std::span<float> adapter) const override { std::fill(adapter.begin(), adapter.end(), 0.F); }

  std::vector<float> logits(std::span<const TokenId> ids, std::span<const float> adapter,
                            GenerationWeights = GenerationWeights::kFloat32) const override {
    std::vector<float> out;
    for (const TokenId id : ids) {
      for (std::size_t v = 0; v < vocabulary_; ++v) out.push_back(adapter.empty() ? 0 : adapter[at(id, v)]);
    }
    return out;
  }

  std::vector<Completion> generate(std::span<const TokenIds> prompts, std::span<const float> adapter, const Sampling& sampling,
                                   GenerationExtras extras, Random random) const override {
    std::vector<Completion> completions;
    for (std::size_t b = 0; b < prompts.size(); ++b) {
      Random draws = random.substream("completion", b);
      Completion completion;
      TokenId last = prompts[b].back();
      while (static_cast<std::int64_t>(completion.ids.size()) < sampling.max_new_tokens && !completion.stopped) {
        const std::vector<double> p = probabilities(last, adapter, sampling.temperature == 0 ? 1 : sampling.temperature);
        const std::vector<double> told = extras.tempered ? p : probabilities(last, adapter);
        double left = draws.uniform();
        std::size_t next = 0;
        while (next + 1 < vocabulary_ && left >= p[next]) left -= p[next++];
        if (sampling.temperature == 0) next = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
        append_state(last, completion.hidden);
        last = static_cast<TokenId>(next);
        completion.ids.push_back(last);
        completion.logprobs.push_back(static_cast<float>(std::log(told[next])));
        completion.reference_logprobs.push_back(static_cast<float>(-std::log(static_cast<double>(vocabulary_))));
        completion.stopped = std::find(sampling.stop.begin(), sampling.stop.end(), last) != sampling.stop.end();
      }
      completions.push_back(std::move(completion));
    }
    return completions;
  }

  std::vector<std::vector<float>> logprobs(std::span<const TokenSequence> sequences, std::span<const float> adapter, double temperature = 1,
                                           std::vector<float>* hidden = nullptr) const override {
    std::vector<std::vector<float>> out;
    if (hidden != nullptr) hidden->clear();
    for (const TokenSequence& sequence : sequences) {
      out.emplace_back();
      for (std::size_t t = sequence.ids.size() - sequence.completion_length; t < sequence.ids.size(); ++t) {
        const auto p = probabilities(sequence.ids[t - 1], adapter, temperature);
        out.back().push_back(static_cast<float>(std::log(p[static_cast<std::size_t>(sequence.ids[t])])));
        if (hidden != nullptr) append_state(sequence.ids[t - 1], *hidden);
      }
    }
    return out;
  }

  void jacobian(std::span<const TokenSequence> sequences, std::span<const float> adapter, const Random* dropout,
                const LogprobGradients& losses, std::span<float> jacobian, ActivationGradients activations = {},
                const TokenTerms& terms = {}) const override {
    if (dropout != nullptr) masks.push_back(Random(*dropout)());
    std::vector<TokenId> from;
    std::vector<TokenId> to;
    std::vector<double> logprobs;
    std::vector<double> entropies;
    std::vector<float> hidden;
    for (const TokenSequence& sequence : sequences) {
      for (std::size_t t = sequence.ids.size() - sequence.completion_length; t < sequence.ids.size(); ++t) {
        from.push_back(sequence.ids[t - 1]);
        to.push_back(sequence.ids[t]);
        const std::vector<double> p = probabilities(from.back(), adapter, terms.temperature);
        logprobs.push_back(std::log(p[static_cast<std::size_t>(to.back())]));
        entropies.push_back(0);
        for (const double q : p) entropies.back() -= q > 0 ? q * std::log(q) : 0;
        append_state(from.back(), hidden);
      }
    }
    const std::size_t objectives = jacobian.size() / adapter.size();
    const std::size_t further = activations.rows.size() / vocabulary_;
    std::vector<double> gradients((objectives + further) * to.size());
    losses({logprobs, hidden, terms.entropies ? entropies : std::vector<double>()}, gradients);
    std::fill(jacobian.begin(), jacobian.end(), 0.F);
    std::fill(activations.rows.begin(), activations.rows.end(), 0.0);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::vector<double> p = probabilities(from[i], adapter, terms.temperature);
      for (std::size_t v = 0; v < vocabulary_; ++v) {
        const double slope = ((v == static_cast<std::size_t>(to[i]) ? 1 : 0) - p[v]) / terms.temperature;
        if (!terms.entropy_slopes.empty()) {
          const double entropy_slope = -p[v] * (std::log(p[v]) + entropies[i]) / terms.temperature;
          jacobian[at(from[i], v)] += static_cast<float>(terms.entropy_slopes[i] * entropy_slope);
        }
        for (std::size_t k = 0; k < further; ++k) {  // logits are hidden [V] times adapter [V, V]
          for (std::size_t u = 0; u < vocabulary_; ++u) {
            activations.rows[k * vocabulary_ + u] += gradients[(objectives + k) * to.size() + i] * slope * adapter[u * vocabulary_ + v];
          }
        }
        for (std::size_t k = 0; k < objectives; ++k) {
          jacobian[k * adapter.size() + at(from[i], v)] += static_cast<float>(gradients[k * to.size() + i] * slope);
        }
      }
    }
  }

  mutable std::vector<Random::result_type> masks;  ///< the first draw of each Jacobian's dropout

 private:
  std::size_t at(TokenId from, std::size_t to) const { return static_cast<std::size_t>(from) * vocabulary_ + to; }

  void append_state(TokenId token, std::vector<float>& hidden) const {
    for (std::size_t v = 0; v < vocabulary_; ++v) hidden.push_back(v == static_cast<std::size_t>(token) ? 1.F : 0.F);
  }

  std::vector<double> probabilities(TokenId from, std::span<const float> adapter, double temperature = 1) const {
    std::vector<double> p(vocabulary_, 1 / static_cast<double>(vocabulary_));
    if (adapter.empty()) return p;
    double sum = 0;
    const double most = *std::max_element(adapter.begin() + static_cast<std::ptrdiff_t>(at(from, 0)),
                                          adapter.begin() + static_cast<std::ptrdiff_t>(at(from, vocabulary_)));
    for (std::size_t v = 0; v < vocabulary_; ++v) sum += p[v] = std::exp((adapter[at(from, v)] - most) / temperature);
    for (double& value : p) value /= sum;
    return p;
  }

  std::size_t vocabulary_;
  std::shared_ptr<const Layout> layout_;
  LanguageModelConfig config_;
};

}  // namespace paretofl
