#include "paretofl/privacy/masked_client.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <utility>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/privacy/release.h"
#include "paretofl/privacy/releases.h"
#include "paretofl/privacy/secure_summation.h"
#include "paretofl/privacy/summed_values.h"
#include "paretofl/secure_sums/masking_client.h"
#include "paretofl/secure_sums/secure_sum.h"

namespace paretofl {
namespace {

class MaskedClient : public ClientHalf {
 public:
  MaskedClient(std::unique_ptr<ClientHalf> half, int client, Masking options, const Secret& root)
      : half_(std::move(half)), options_(std::move(options)), root_(root), masking_(client, root) {}

  Reply handle(const Request& request, StreamId stream) override {
    Request inner = request;
    const auto found = inner.extra.records.find(SecureSum::kRecord);
    expect(found != inner.extra.records.end(),
           "secure sum: expected a request for a sum over the cohort, found one for this client's own '{}'", request.verb);
    const Record told = std::move(found->second);
    inner.extra.records.erase(found);
    const std::string& sum = told.text(SecureSum::kName);
    Reply reply;
    if (request.verb == SecureSum::kKeysVerb) {
      const auto occasion = told.texts.find(kOccasion);
      occasion_ = occasion == told.texts.end() ? "" : occasion->second;
      reply.extra = masking_.begin(sum, occasion_).save();
      sum_ = sum;
      return reply;
    }
    expect(sum == sum_, "secure sum: expected a request of the sum that has begun, found one of another");
    if (request.verb == SecureSum::kSharesVerb) {
      reply.extra = masking_.share(checked(MaskingSetup::load(told))).save();
    } else if (request.verb == SecureSum::kUnmaskVerb) {
      reply.extra = masking_.reveal(Survivors::load(told)).save();
    } else {
      reply.extra.arrays.emplace(SecureSum::kMasked, masked(half_->handle(inner, stream), told, request.round));
    }
    return reply;
  }

  void end_round() noexcept override { half_->end_round(); }
  void save(Record& state) const override { half_->save(state); }
  void load(const Record& state) override { half_->load(state); }

 private:
  /// What the party's own settings promise it, whatever the server asks.
  MaskingSetup checked(MaskingSetup setup) const {
    const std::size_t neighbours = setup.neighbours.size();
    expect(neighbours >= 2 && static_cast<double>(setup.threshold) >= options_.threshold * static_cast<double>(neighbours) - 1e-9,
           "secure sum: expected at least 2 neighbours and privacy.threshold, {}, of them to stay, found {} of {}", options_.threshold,
           setup.threshold, neighbours);
    return setup;
  }

  Array masked(const Reply& reply, const Record& told, std::uint32_t round) {
    const Record& spec = told.record(SecureSum::kSpec);
    const Record& released = spec.record(SecureSummation::kReleased);
    ClipBounds bounds(options_.release);
    if (options_.release.adaptive_clip) bounds.load(released);
    const Release release(load_sum_spec(spec), options_.release, bounds, options_.fixed_point, options_.layers);
    std::vector<std::uint64_t> values = release.values_of(reply);
    const Secret noise =
        root_.derive(fmt::format("noise of sum {} in round {}, {}", count_scalar(released, Releases::kNumber), round, occasion_));
    release.add_noise(values, noise, 1 / static_cast<double>(masking_.fewest()));
    masking_.mask(SealedShares::load(told), values);
    std::vector<std::int64_t> sent(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sent[i] = std::bit_cast<std::int64_t>(values[i]);
    return Array(std::span<const std::int64_t>(sent));
  }

  std::unique_ptr<ClientHalf> half_;
  Masking options_;
  Secret root_;
  MaskingClient masking_;
  std::string sum_;
  std::string occasion_;
};

}  // namespace

ClientFactory with_masking(ClientFactory factory, Masking masking, std::function<Secret(int client)> root) {
  return [factory = std::move(factory), masking = std::move(masking), root = std::move(root)](int client) {
    return std::make_unique<MaskedClient>(factory(client), client, masking, root(client));
  };
}

}  // namespace paretofl
