#include "paretofl/runtimes/simulated_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "paretofl/core/client.h"
#include "paretofl/core/error.h"
#include "paretofl/core/random.h"

namespace paretofl {
namespace {

/// One exchange by the simulated clock. Whether a client fails is known only once it has computed, so clients are asked in waves: the first
/// `enough` to be done, then as many of the next ones as of them failed, and so on.
class SimulatedExchange {
 public:
  SimulatedExchange(Runtime& inner, std::span<const Envelope> envelopes, std::vector<double> seconds, const OnReply& on_reply,
                    const ExchangeLimits& limits)
      : inner_(inner), envelopes_(envelopes), seconds_(std::move(seconds)), on_reply_(on_reply), limits_(limits), asked_(envelopes.size()) {
    result_.replies.resize(envelopes.size());
    result_.simulated_seconds = 0;
  }

  Exchange run() {
    const std::vector<std::size_t> in_time = those_in_time();
    std::size_t next = 0;
    std::size_t answered = 0;
    while (next < in_time.size() && answered < limits_.enough) {
      const std::size_t count = std::min(limits_.enough - answered, in_time.size() - next);
      std::vector<std::size_t> wave(in_time.begin() + static_cast<std::ptrdiff_t>(next),
                                    in_time.begin() + static_cast<std::ptrdiff_t>(next + count));
      next += count;
      result_.simulated_seconds = seconds_[wave.back()];
      std::sort(wave.begin(), wave.end());
      answered += ask(wave);
    }
    const bool enough = answered >= limits_.enough;
    if (!enough && in_time.size() < envelopes_.size()) result_.simulated_seconds = limits_.deadline->count();
    if (enough) late_ = Lateness::kEnough;
    pass_on_until(envelopes_.size());
    return std::move(result_);
  }

 private:
  /// The envelopes whose clients are done before the deadline, in the order in which they are.
  std::vector<std::size_t> those_in_time() const {
    std::vector<std::size_t> order(envelopes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return seconds_[a] < seconds_[b]; });
    if (limits_.deadline) std::erase_if(order, [&](std::size_t i) { return seconds_[i] > limits_.deadline->count(); });
    return order;
  }

  /// Asks the clients of a wave, and returns how many of them answered. If no other wave can follow, replies are passed on as they come.
  std::size_t ask(const std::vector<std::size_t>& wave) {
    std::vector<Envelope> envelopes;
    for (const std::size_t i : wave) envelopes.push_back(envelopes_[i]);
    std::size_t position = 0;
    const OnReply streaming = [&](Reply& reply) {
      const std::size_t index = wave[position++];
      pass_on_until(index);
      on_reply_(reply);
      passed_ = index + 1;
    };
    Exchange exchange = inner_.exchange(envelopes, on_reply_ && limits_.enough >= envelopes_.size() ? streaming : OnReply(), {});
    result_.bytes_down += exchange.bytes_down;
    result_.bytes_up += exchange.bytes_up;
    std::size_t answered = 0;
    for (std::size_t i = 0; i < wave.size(); ++i) {
      Reply& reply = exchange.replies[i];
      answered += reply.error ? 0 : 1;
      result_.replies[wave[i]] = std::move(reply);
      asked_[wave[i]] = true;
    }
    return answered;
  }

  /// Passes on the replies before `end` that have not been, with late ones for the clients that were not asked.
  void pass_on_until(std::size_t end) {
    for (; passed_ < end; ++passed_) {
      Reply& reply = result_.replies[passed_];
      if (!asked_[passed_]) reply = Reply::late(envelopes_[passed_].client, late_);
      if (on_reply_) on_reply_(reply);
    }
  }

  Runtime& inner_;
  std::span<const Envelope> envelopes_;
  std::vector<double> seconds_;  ///< that each envelope's client takes
  const OnReply& on_reply_;
  const ExchangeLimits& limits_;
  Exchange result_;
  std::vector<bool> asked_;
  std::size_t passed_ = 0;  ///< how many replies have been passed on
  Lateness late_ = Lateness::kDeadline;
};

class SimulatedTime : public Runtime {
 public:
  SimulatedTime(std::unique_ptr<Runtime> inner, const RuntimeOptions& options, std::uint64_t seed, int num_clients)
      : inner_(std::move(inner)), options_(options) {
    const auto population = static_cast<std::size_t>(num_clients);
    const auto count = static_cast<std::size_t>(std::llround(options.straggler_share * num_clients));
    for (const std::size_t client : Random({seed, 0, kServerStream}, "stragglers").sample_without_replacement(population, count)) {
      stragglers_.insert(static_cast<int>(client));
    }
  }

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    const auto takes_no_time = [](const Envelope& envelope) {
      return envelope.request.verb == kSaveState || envelope.request.verb == kLoadState;
    };
    if (std::all_of(envelopes.begin(), envelopes.end(), takes_no_time)) return inner_->exchange(envelopes, on_reply);
    std::vector<double> seconds;
    for (const Envelope& envelope : envelopes) seconds.push_back(seconds_of(envelope));
    return SimulatedExchange(*inner_, envelopes, std::move(seconds), on_reply, limits).run();
  }

  bool leads() const override { return inner_->leads(); }
  void follow() override { inner_->follow(); }
  void expect_same(const Texts& texts) override { inner_->expect_same(texts); }
  std::string launcher() const override { return inner_->launcher(); }
  bool has_parties() const override { return inner_->has_parties(); }
  void begin(const RunIdentity& identity) override { inner_->begin(identity); }

 private:
  double seconds_of(const Envelope& envelope) const {
    const double spread = options_.simulated_spread;
    double seconds = options_.simulated_seconds;
    if (spread > 0) seconds *= Random(envelope.stream(), "simulated seconds of " + envelope.request.verb).uniform(1 - spread, 1 + spread);
    return stragglers_.contains(envelope.client) ? seconds * options_.straggler_slowdown : seconds;
  }

  std::unique_ptr<Runtime> inner_;
  RuntimeOptions options_;
  std::set<int> stragglers_;
};

}  // namespace

std::unique_ptr<Runtime> with_simulated_time(std::unique_ptr<Runtime> runtime, const RuntimeOptions& options, std::uint64_t seed,
                                             int num_clients) {
  if (options.simulated_seconds > 0) return std::make_unique<SimulatedTime>(std::move(runtime), options, seed, num_clients);
  expect(options.straggler_share == 0, "runtime.straggler_share: expected simulated_seconds of more than 0 with it, found 0");
  expect(options.simulated_spread == 0, "runtime.simulated_spread: expected simulated_seconds of more than 0 with it, found 0");
  return runtime;
}

}  // namespace paretofl
