#include "paretofl/privacy/masked_client.h"

#include <bit>
#include <memory>
#include <utility>

#include "paretofl/core/error.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/masking_client.h"
#include "paretofl/privacy/secure_sum.h"
#include "paretofl/privacy/summed_values.h"

namespace paretofl {
namespace {

class MaskedClient : public ClientHalf {
 public:
  MaskedClient(std::unique_ptr<ClientHalf> half, int client, const FixedPoint& fixed_point, const Secret& root)
      : half_(std::move(half)), fixed_point_(fixed_point), masking_(client, root) {}

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
      reply.extra = masking_.begin(sum, occasion == told.texts.end() ? "" : occasion->second).save();
      sum_ = sum;
      return reply;
    }
    expect(sum == sum_, "secure sum: expected a request of the sum that has begun, found one of another");
    if (request.verb == SecureSum::kSharesVerb) {
      reply.extra = masking_.share(MaskingSetup::load(told)).save();
    } else if (request.verb == SecureSum::kUnmaskVerb) {
      reply.extra = masking_.reveal(Survivors::load(told)).save();
    } else {
      reply.extra.arrays.emplace(SecureSum::kMasked, masked(half_->handle(inner, stream), told));
    }
    return reply;
  }

  void end_round() noexcept override { half_->end_round(); }
  void save(Record& state) const override { half_->save(state); }
  void load(const Record& state) override { half_->load(state); }

 private:
  Array masked(const Reply& reply, const Record& told) {
    const SumSpec spec = load_sum_spec(told.record(SecureSum::kSpec));
    std::vector<std::uint64_t> values;
    for (const double value : summed_values(reply, spec)) values.push_back(fixed_point_.encode(value));
    masking_.mask(SealedShares::load(told), values);
    std::vector<std::int64_t> sent(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sent[i] = std::bit_cast<std::int64_t>(values[i]);
    return Array(std::span<const std::int64_t>(sent));
  }

  std::unique_ptr<ClientHalf> half_;
  FixedPoint fixed_point_;
  MaskingClient masking_;
  std::string sum_;
};

}  // namespace

ClientFactory with_masking(ClientFactory factory, int bits, std::size_t summands, std::function<Secret(int client)> root) {
  const FixedPoint fixed_point(bits, summands);
  return [factory = std::move(factory), fixed_point, root = std::move(root)](int client) {
    return std::make_unique<MaskedClient>(factory(client), client, fixed_point, root(client));
  };
}

}  // namespace paretofl
