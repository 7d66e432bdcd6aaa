#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "paretofl/core/error.h"
#include "tests/language/random_decoder.h"

namespace paretofl {
namespace {

constexpr std::size_t kLosses = 3;

/// Loss k: a fixed sum of sines of the log-probabilities, so that no derivative is a constant.
double loss_of(std::size_t k, std::span<const double> logprobs) {
  double loss = 0;
  for (std::size_t n = 0; n < logprobs.size(); ++n) loss += std::sin(static_cast<double>(n + 2 * k) + logprobs[n]);
  return loss;
}

void slope_of(std::size_t k, std::span<const double> logprobs, std::span<double> slope) {
  for (std::size_t n = 0; n < logprobs.size(); ++n) slope[n] = std::cos(static_cast<double>(n + 2 * k) + logprobs[n]);
}

void all_losses(const CompletionTokens& tokens, std::span<double> gradients) {
  const std::size_t count = tokens.logprobs.size();
  for (std::size_t k = 0; k < kLosses; ++k) slope_of(k, tokens.logprobs, gradients.subspan(k * count, count));
}

class AdapterJacobian : public testing::TestWithParam<const char*> {
 protected:
  std::shared_ptr<const CausalLm> model(const char* dtype, double dropout = 0) const {
    const std::string type = GetParam();
    return random_causal_lm(tiny_config(type), Random({3}, "model"),
                            {.rank = 2, .alpha = 3, .dropout = dropout, .projections = all_projections(type)}, {.dtype = dtype});
  }

  // Unequal lengths, two of them alike, and one without a completion.
  std::vector<TokenSequence> sequences_ = {
      {random_tokens(9, 1), 4}, {random_tokens(6, 2), 5}, {random_tokens(6, 3), 1}, {random_tokens(3, 4), 0}};
};

TEST_P(AdapterJacobian, AgreesWithFiniteDifferences) {
  const auto model = this->model("float64");
  std::vector<float> adapter = random_adapter(*model);
  for (float& x : adapter) x = std::ldexp(std::round(std::ldexp(x, 16)), -16);  // so that theta +- step is exact in float32
  std::vector<float> jacobian(kLosses * adapter.size());
  model->jacobian(sequences_, adapter, nullptr, all_losses, jacobian);
  std::vector<double> logprobs;
  const auto look = [&](const CompletionTokens& tokens, std::span<double>) {
    logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end());
  };
  std::vector<float> unused(adapter.size());
  const double step = std::ldexp(1.0, -12);
  for (std::size_t i = 0; i < adapter.size(); i += adapter.size() / 25) {
    std::array<double, kLosses> difference{};  // by four points, so that the error falls as step^4
    for (const double steps : {-2.0, -1.0, 1.0, 2.0}) {
      const double factor = (std::abs(steps) == 1 ? 8 : -1) * (steps > 0 ? 1 : -1) / (12 * step);
      std::vector<float> moved = adapter;
      moved[i] = static_cast<float>(moved[i] + steps * step);
      model->jacobian(sequences_, moved, nullptr, look, unused);
      for (std::size_t k = 0; k < kLosses; ++k) difference[k] += factor * loss_of(k, logprobs);
    }
    for (std::size_t k = 0; k < kLosses; ++k)
      EXPECT_NEAR(jacobian[k * adapter.size() + i], difference[k], 1e-6 * std::max(1.0, std::abs(difference[k]))) << i;
  }
}

TEST_P(AdapterJacobian, AtATemperatureWithEntropiesAgreesWithFiniteDifferences) {
  const auto model = this->model("float64");
  std::vector<float> adapter = random_adapter(*model);
  for (float& x : adapter) x = std::ldexp(std::round(std::ldexp(x, 16)), -16);
  std::vector<double> slopes;  // of the first loss with respect to the entropies
  for (std::size_t n = 0; n < 10; ++n) slopes.push_back(0.3 * static_cast<double>(n % 4) - 0.4);
  const TokenTerms terms{.temperature = 0.7, .entropies = true, .entropy_slopes = slopes};
  std::vector<float> jacobian(2 * adapter.size());
  const auto losses = [](const CompletionTokens& tokens, std::span<double> gradients) {
    const std::size_t count = tokens.logprobs.size();
    for (std::size_t k = 0; k < 2; ++k) slope_of(k, tokens.logprobs, gradients.subspan(k * count, count));
  };
  model->jacobian(sequences_, adapter, nullptr, losses, jacobian, {}, terms);
  std::array<double, 2> found{};
  const auto look = [&](const CompletionTokens& tokens, std::span<double>) {
    for (std::size_t k = 0; k < 2; ++k) found[k] = loss_of(k, tokens.logprobs);
    for (std::size_t n = 0; n < slopes.size(); ++n) found[0] += slopes[n] * tokens.entropies[n];
  };
  std::vector<float> unused(adapter.size());
  const double step = std::ldexp(1.0, -12);
  for (std::size_t i = 0; i < adapter.size(); i += adapter.size() / 25) {
    std::array<double, 2> difference{};
    for (const double steps : {-2.0, -1.0, 1.0, 2.0}) {
      const double factor = (std::abs(steps) == 1 ? 8 : -1) * (steps > 0 ? 1 : -1) / (12 * step);
      std::vector<float> moved = adapter;
      moved[i] = static_cast<float>(moved[i] + steps * step);
      model->jacobian(sequences_, moved, nullptr, look, unused, {}, {.temperature = 0.7, .entropies = true});
      for (std::size_t k = 0; k < 2; ++k) difference[k] += factor * found[k];
    }
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_NEAR(jacobian[k * adapter.size() + i], difference[k], 1e-6 * std::max(1.0, std::abs(difference[k]))) << i;
  }
}

TEST_P(AdapterJacobian, TemperedLogprobsAndEntropiesAreThoseOfTheLogits) {
  const auto model = this->model("float64");
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<double> logprobs, entropies;
  const auto look = [&](const CompletionTokens& tokens, std::span<double>) {
    logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end());
    entropies.assign(tokens.entropies.begin(), tokens.entropies.end());
  };
  std::vector<float> unused(adapter.size());
  model->jacobian(sequences_, adapter, nullptr, look, unused);
  EXPECT_THAT(entropies, testing::IsEmpty());
  model->jacobian(sequences_, adapter, nullptr, look, unused, {}, {.temperature = 0.7, .entropies = true});
  const auto rows = model->logprobs(sequences_, adapter, 0.7);
  std::size_t n = 0;
  for (std::size_t b = 0; b < sequences_.size(); ++b) {
    const TokenIds& ids = sequences_[b].ids;
    const std::vector<float> logits = model->logits(ids, adapter);
    const std::size_t vocabulary = logits.size() / ids.size();
    for (std::size_t t = 0; t < sequences_[b].completion_length; ++t, ++n) {
      const std::size_t at = ids.size() - sequences_[b].completion_length + t;
      const auto row = std::span(logits).subspan((at - 1) * vocabulary, vocabulary);
      double sum = 0, mean = 0;
      for (const float x : row) sum += std::exp(x / 0.7);
      for (const float x : row) mean += std::exp(x / 0.7) / sum * (x / 0.7);
      EXPECT_NEAR(logprobs[n], row[static_cast<std::size_t>(ids[at])] / 0.7 - std::log(sum), 1e-5);
      EXPECT_NEAR(rows[b][t], logprobs[n], 1e-5);
      EXPECT_NEAR(entropies[n], std::log(sum) - mean, 1e-5);
    }
  }
  EXPECT_EQ(n, logprobs.size());
}

TEST_P(AdapterJacobian, RefusesBadTermsByName) {
  const auto model = this->model("float32");
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<float> gradient(adapter.size());
  const auto none = [](const CompletionTokens&, std::span<double>) {};
  const auto with = [&](const TokenTerms& terms) {
    return [&, terms] { model->jacobian(sequences_, adapter, nullptr, none, gradient, {}, terms); };
  };
  EXPECT_THAT(with({.temperature = 0}), testing::ThrowsMessage<Error>(testing::HasSubstr("expected a temperature above 0, found 0")));
  const std::vector<double> three(3);
  EXPECT_THAT(with({.entropy_slopes = three}),
              testing::ThrowsMessage<Error>(testing::HasSubstr("the entropy of each of 10 tokens or none, found 3")));
  EXPECT_THROW(model->logprobs(sequences_, adapter, -1), Error);
}

// Which differs from float64 not in digits alone: it has kernels of its own.
TEST_P(AdapterJacobian, InFloat32IsThatInFloat64) {
  const auto model = this->model("float32");
  const std::vector<float> adapter = random_adapter(*model);
  sequences_.push_back({random_tokens(37, 5), 20});
  std::vector<float> jacobian(kLosses * adapter.size()), expected(jacobian.size());
  model->jacobian(sequences_, adapter, nullptr, all_losses, jacobian);
  this->model("float64")->jacobian(sequences_, adapter, nullptr, all_losses, expected);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(jacobian[i], expected[i], 1e-4 * std::max(1.0F, std::abs(expected[i]))) << i;
}

TEST_P(AdapterJacobian, HasTheBitsOfSingleCalls) {
  const auto model = this->model("float32", 0.3);
  const std::vector<float> adapter = random_adapter(*model);
  const Random dropout({5}, "dropout");
  std::vector<float> jacobian(kLosses * adapter.size());
  model->jacobian(sequences_, adapter, &dropout, all_losses, jacobian);
  for (std::size_t k = 0; k < kLosses; ++k) {
    std::vector<float> row(adapter.size());
    const auto one = [&](const CompletionTokens& tokens, std::span<double> gradient) { slope_of(k, tokens.logprobs, gradient); };
    model->jacobian(sequences_, adapter, &dropout, one, row);
    EXPECT_THAT(row, testing::ElementsAreArray(std::span(jacobian).subspan(k * adapter.size(), adapter.size())));
  }
}

TEST_P(AdapterJacobian, ShowsTheLogprobsAndHiddenStatesOfThePolicy) {
  const auto model = this->model("float32", 0.3);
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<float> gradient(adapter.size());
  std::vector<double> logprobs;
  std::vector<float> hidden;
  const auto look = [&](const CompletionTokens& tokens, std::span<double>) {
    logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end());
    hidden.assign(tokens.hidden.begin(), tokens.hidden.end());
  };
  model->jacobian(sequences_, adapter, nullptr, look, gradient);
  EXPECT_THAT(gradient, testing::Each(0.0F));  // losses that depend on nothing
  ASSERT_EQ(hidden.size(), logprobs.size() * 24);
  std::size_t n = 0;
  for (const auto& row : model->logprobs(sequences_, adapter)) {
    for (const float logprob : row) EXPECT_NEAR(logprob, logprobs[n++], 1e-5);
  }
  EXPECT_EQ(n, logprobs.size());
  const std::vector<double> policy = logprobs;
  const Random dropout({5}, "dropout");
  model->jacobian(sequences_, adapter, &dropout, look, gradient);
  EXPECT_NE(policy, logprobs);
  const std::vector<double> dropped = logprobs;
  model->jacobian(sequences_, adapter, &dropout, look, gradient);
  EXPECT_EQ(dropped, logprobs);
}

// To first order in the adapter, what dropout takes away from some numbers it gives to others.
TEST_P(AdapterJacobian, DropoutKeepsTheMean) {
  const auto model = this->model("float64", 0.5);
  std::vector<float> adapter = random_adapter(*model);
  for (float& x : adapter) x *= 0.1F;
  std::vector<double> logprobs;
  const auto look = [&](const CompletionTokens& tokens, std::span<double>) {
    logprobs.assign(tokens.logprobs.begin(), tokens.logprobs.end());
  };
  std::vector<float> unused(adapter.size());
  const auto logprobs_of = [&](std::span<const float> theta, const Random* dropout) {
    model->jacobian(sequences_, theta, dropout, look, unused);
    return logprobs;
  };
  const std::vector<double> base = logprobs_of(std::vector<float>(adapter.size()), nullptr);
  const std::vector<double> whole = logprobs_of(adapter, nullptr);
  constexpr int kMasks = 64;
  double explained = 0;
  double square = 0;
  for (int mask = 0; mask < kMasks; ++mask) {
    const Random dropout({static_cast<std::uint64_t>(mask)}, "dropout");
    const std::vector<double> dropped = logprobs_of(adapter, &dropout);
    EXPECT_NE(dropped, whole);
    for (std::size_t i = 0; i < base.size(); ++i) {
      explained += (dropped[i] - base[i]) * (whole[i] - base[i]) / kMasks;
      square += (whole[i] - base[i]) * (whole[i] - base[i]) / kMasks;
    }
  }
  EXPECT_NEAR(explained / square, 1, 0.25);
}

TEST_P(AdapterJacobian, OfNoCompletionTokensIsZero) {
  const auto model = this->model("float32");
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<float> gradient(adapter.size(), 1);
  const std::vector<TokenSequence> prompts = {{{1, 2, 3}, 0}, {{4}, 0}};
  model->jacobian(
      prompts, adapter, nullptr, [](const CompletionTokens&, std::span<double>) {}, gradient);
  EXPECT_THAT(gradient, testing::Each(0.0F));
  EXPECT_THAT(model->logprobs(prompts, adapter), testing::ElementsAre(testing::IsEmpty(), testing::IsEmpty()));
}

TEST_P(AdapterJacobian, RefusesWhatItCannotDifferentiate) {
  const auto model = this->model("float32");
  const std::vector<float> adapter = random_adapter(*model);
  std::vector<float> gradient(adapter.size());
  EXPECT_THROW(model->jacobian(sequences_, {}, nullptr, all_losses, gradient), Error);
  EXPECT_THROW(model->jacobian(sequences_, adapter, nullptr, all_losses, std::span(gradient).first(5)), Error);
  EXPECT_THROW(model->jacobian(std::vector<TokenSequence>{{{1, 2}, 2}}, adapter, nullptr, all_losses, gradient), Error);
  EXPECT_THROW(model->jacobian(std::vector<TokenSequence>{{{1, 50}, 1}}, adapter, nullptr, all_losses, gradient), Error);
  EXPECT_THROW(model->jacobian({}, adapter, nullptr, all_losses, gradient), Error);
  EXPECT_THROW(model->jacobian(std::vector<TokenSequence>{{{}, 0}}, adapter, nullptr, all_losses, gradient), Error);
}

INSTANTIATE_TEST_SUITE_P(Decoders, AdapterJacobian, kDecoderFamilies);

}  // namespace
}  // namespace paretofl
