#include "paretofl/language/generation_torch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "paretofl/language/lane_weights_torch.h"
#include "paretofl/language/token_head_torch.h"

namespace paretofl {
namespace {

std::int64_t longest(std::span<const TokenIds> prompts) {
  std::size_t longest = 0;
  for (const TokenIds& prompt : prompts) longest = std::max(longest, prompt.size());
  return static_cast<std::int64_t>(longest);
}

// Each prompt once, and where it is [B].
std::vector<const TokenIds*> distinct(std::span<const TokenIds> prompts, std::vector<std::int64_t>& place) {
  std::map<TokenIds, std::int64_t> places;
  std::vector<const TokenIds*> each;
  for (const TokenIds& prompt : prompts) {
    const auto [at, added] = places.emplace(prompt, static_cast<std::int64_t>(each.size()));
    if (added) each.push_back(&prompt);
    place.push_back(at->second);
  }
  return each;
}

}  // namespace

Generation::Generation(const LanguageModelConfig& config, const Decoder& decoder, std::vector<at::Tensor> adapter,
                       std::span<const TokenIds> prompts, const Sampling& sampling, GenerationExtras extras, const Random& random,
                       const Int8Weights* rounded)
    : config_(config),
      decoder_(decoder),
      adapter_(std::move(adapter)),
      prompts_(prompts),
      sampling_(sampling),
      extras_(extras),
      copies_(extras.reference_logprobs && !adapter_.empty() ? 2 : 1),
      sampler_(sampling),
      completions_(prompts.size()),
      active_(prompts.size()),
      distinct_(distinct(prompts, prompt_of_)),
      prompt_cache_(config, copies_ * static_cast<std::int64_t>(distinct_.size()), longest(prompts), decoder.weights().tokens),
      drawn_cache_(config, copies_ * static_cast<std::int64_t>(prompts.size()), sampling.max_new_tokens, decoder.weights().tokens),
      rounded_(rounded != nullptr) {
  std::iota(active_.begin(), active_.end(), std::size_t{0});
  for (std::size_t b = 0; b < prompts.size(); ++b) streams_.push_back(random.substream("completion", b));
  if (!fits_lanes(decoder)) return;
  lanes_ = std::make_unique<LaneDecoder>(config, lane_weights(decoder, adapter_, prompt_cache_, drawn_cache_, rounded));
}

at::Tensor Generation::on_device(const std::vector<std::int64_t>& values) const {
  return at::tensor(values, at::kLong).to(decoder_.weights().tokens.device());
}

Generation::Outlook Generation::after(const at::Tensor& hidden) const {
  return {.hidden = hidden, .logits = token_logits(decoder_.weights(), hidden).to(at::kCPU, at::kFloat).contiguous()};
}

Generation::Outlook Generation::prefill() {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> last;
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> reach;   // of each token's prompt
  std::vector<std::int64_t> source;  // of each completion's first outlook
  std::int64_t adapted = 0;
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    for (const std::int64_t prompt : prompt_of_) source.push_back(copy * static_cast<std::int64_t>(distinct_.size()) + prompt);
    for (const TokenIds* prompt : distinct_) {
      ids.insert(ids.end(), prompt->begin(), prompt->end());
      for (std::size_t t = 0; t < prompt->size(); ++t) positions.push_back(static_cast<std::int64_t>(t));
      lengths.push_back(static_cast<std::int64_t>(prompt->size()));
      reach.insert(reach.end(), prompt->size(), lengths.back());
      last.push_back(static_cast<std::int64_t>(ids.size()) - 1);
    }
    if (copy == 0) adapted = static_cast<std::int64_t>(ids.size());
  }
  PrefillAttention attention(prompt_cache_, std::move(lengths));
  const DecoderInput input{
      .ids = on_device(ids), .positions = on_device(positions), .selected = on_device(last), .lengths = on_device(reach)};
  return after(decoder_.hidden(input, attention, {.slices = adapter_, .rows = adapted}).index_select(0, on_device(source)));
}

Generation::Outlook Generation::empty_outlook(std::size_t rows) const {
  const auto count = static_cast<std::int64_t>(rows);
  return {.hidden = at::empty({count, config_.hidden_size}), .logits = at::empty({count, config_.vocab_size})};
}

// Some tokens at a time, so that activations stay in caches; the last ones, whose outlook is asked for, by themselves.
Generation::Outlook Generation::rounded_prefill() {
  constexpr std::size_t kTokens = 256;
  std::vector<TokenId> ids, last_ids;
  std::vector<CachePlace> places, last_places;
  std::vector<std::int64_t> source;  // of each completion's first outlook
  const auto flush = [&](bool adapted) {
    if (!ids.empty()) lanes_->prompt_step(ids, places, adapted ? ids.size() : 0, nullptr, nullptr);
    ids.clear();
    places.clear();
  };
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    const bool adapted = copy == 0 && !adapter_.empty();
    for (const std::int64_t prompt : prompt_of_) source.push_back(copy * static_cast<std::int64_t>(distinct_.size()) + prompt);
    for (const TokenIds* prompt : distinct_) {
      const auto row = static_cast<std::int64_t>(last_ids.size());
      for (std::size_t t = 0; t < prompt->size(); ++t) {
        const bool last = t + 1 == prompt->size();
        (last ? last_ids : ids).push_back((*prompt)[t]);
        (last ? last_places : places).push_back({.prompt_row = row, .prompt_length = 0, .row = row, .drawn = static_cast<std::int64_t>(t)});
        if (ids.size() == kTokens) flush(adapted);
      }
    }
    flush(adapted);
  }
  const Outlook outlook = empty_outlook(last_ids.size());
  lanes_->prompt_step(last_ids, last_places, adapter_.empty() ? 0 : distinct_.size(), outlook.hidden.data_ptr<float>(),
                      outlook.logits.data_ptr<float>());
  const at::Tensor rows = on_device(source);
  return {.hidden = outlook.hidden.index_select(0, rows), .logits = outlook.logits.index_select(0, rows)};
}

Generation::Outlook Generation::step() {
  std::vector<TokenId> ids;
  std::vector<CachePlace> places;
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    for (const std::size_t b : active_) {
      const auto row = static_cast<std::int64_t>(lanes_ ? static_cast<std::size_t>(copy) * prompts_.size() + b : places.size());
      ids.push_back(completions_[b].ids.back());
      places.push_back({.prompt_row = copy * static_cast<std::int64_t>(distinct_.size()) + prompt_of_[b],
                        .prompt_length = static_cast<std::int64_t>(prompts_[b].size()),
                        .row = row,
                        .drawn = static_cast<std::int64_t>(completions_[b].ids.size()) - 1});
    }
  }
  const auto adapted = adapter_.empty() ? 0 : active_.size();
  if (lanes_) {
    Outlook outlook = empty_outlook(ids.size());
    lanes_->step(ids, places, adapted, outlook.hidden.data_ptr<float>(), outlook.logits.data_ptr<float>());
    return outlook;
  }
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> prompts;  // lengths; with what is drawn, sequences are beyond the original length where their prompts are
  for (const CachePlace& place : places) {
    positions.push_back(place.position());
    prompts.push_back(place.prompt_length);
  }
  StepAttention attention(prompt_cache_, drawn_cache_, places);
  const DecoderInput input{
      .ids = on_device({ids.begin(), ids.end()}), .positions = on_device(positions), .selected = {}, .lengths = on_device(prompts)};
  return after(decoder_.hidden(input, attention, {.slices = adapter_, .rows = static_cast<std::int64_t>(adapted)}));
}

std::vector<std::size_t> Generation::draw(const Outlook& outlook) {
  const at::Tensor& logits = outlook.logits;
  const at::Tensor states = extras_.hidden ? outlook.hidden.to(at::kCPU, at::kFloat).contiguous() : at::Tensor();
  const auto vocabulary = static_cast<std::size_t>(config_.vocab_size);
  const auto row = [&](std::size_t i) { return std::span<const float>(logits.data_ptr<float>() + i * vocabulary, vocabulary); };
  const double factor = extras_.tempered ? 1 / sampling_.temperature : 1;
  const auto logprob = [&](std::size_t i, TokenId id) {
    return static_cast<float>(factor * row(i)[static_cast<std::size_t>(id)] - log_sum_exp(row(i), factor));
  };
  std::vector<std::size_t> going_on;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    Completion& completion = completions_[active_[i]];
    const TokenId id = sampler_.draw(row(i), streams_[active_[i]]);
    completion.ids.push_back(id);
    completion.logprobs.push_back(logprob(i, id));
    if (extras_.reference_logprobs) {
      completion.reference_logprobs.push_back(copies_ == 2 ? logprob(active_.size() + i, id) : completion.logprobs.back());
    }
    if (extras_.hidden) {
      const float* state = states.data_ptr<float>() + static_cast<std::ptrdiff_t>(i) * states.size(1);
      completion.hidden.insert(completion.hidden.end(), state, state + states.size(1));
    }
    completion.stopped = std::find(sampling_.stop.begin(), sampling_.stop.end(), id) != sampling_.stop.end() ||
                         (sampling_.ends && sampling_.ends(completion.ids));
    if (!completion.stopped && completion.ids.size() < static_cast<std::size_t>(sampling_.max_new_tokens)) going_on.push_back(i);
  }
  return going_on;
}

void Generation::keep(const std::vector<std::size_t>& places) {
  std::vector<std::size_t> still_active;
  for (const std::size_t place : places) still_active.push_back(active_[place]);
  if (!lanes_) {
    drawn_cache_.select(rows_of_copies({places.begin(), places.end()}, active_.size()));
    std::set<std::int64_t> prompts;  // that still have a completion
    for (const std::size_t b : still_active) prompts.insert(prompt_of_[b]);
    if (prompts.size() < distinct_.size()) {
      prompt_cache_.select(rows_of_copies({prompts.begin(), prompts.end()}, distinct_.size()));
      std::vector<const TokenIds*> left;
      for (const std::int64_t prompt : prompts) left.push_back(distinct_[static_cast<std::size_t>(prompt)]);
      for (const std::size_t b : still_active) prompt_of_[b] = std::distance(prompts.begin(), prompts.find(prompt_of_[b]));
      distinct_ = std::move(left);
    }
  }
  active_ = std::move(still_active);
}

at::Tensor Generation::rows_of_copies(const std::vector<std::int64_t>& rows, std::size_t count) const {
  std::vector<std::int64_t> all;
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    for (const std::int64_t row : rows) all.push_back(copy * static_cast<std::int64_t>(count) + row);
  }
  return on_device(all);
}

std::vector<Completion> Generation::run() {
  for (Outlook outlook = rounded_ ? rounded_prefill() : prefill();; outlook = step()) {
    const std::vector<std::size_t> going_on = draw(outlook);
    if (going_on.empty()) return std::move(completions_);
    if (going_on.size() < active_.size()) keep(going_on);
  }
}

}  // namespace paretofl
