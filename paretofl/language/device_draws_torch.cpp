#include "paretofl/language/device_draws_torch.h"

#include <ATen/ATen.h>

#include <utility>

namespace paretofl {

// philox4x32 of paretofl/core/random.h. Words are the lower halves of integers whose upper halves are anything: products need them cleared.
at::Tensor device_draws(const Random& stream, std::int64_t count, const at::Tensor& like) {
  constexpr std::int64_t kWord = 0xffffffff;
  const at::TensorOptions integers = like.options().dtype(at::kLong);
  const auto word = [&](std::size_t i) { return at::full({1}, static_cast<std::int64_t>(stream.counter()[i]), integers); };
  at::Tensor a = at::arange((count + 3) / 4, integers) + static_cast<std::int64_t>(stream.counter()[0]);
  at::Tensor b = word(1);
  at::Tensor c = word(2);
  at::Tensor d = word(3);
  auto [key0, key1] = stream.key();
  for (int round = 0; round < 10; ++round) {
    const at::Tensor by_a = a.bitwise_and(kWord) * std::int64_t{0xD2511F53};
    const at::Tensor by_c = c.bitwise_and(kWord) * std::int64_t{0xCD9E8D57};
    a = by_c.bitwise_right_shift(32).bitwise_xor(b).bitwise_xor(static_cast<std::int64_t>(key0));
    c = by_a.bitwise_right_shift(32).bitwise_xor(d).bitwise_xor(static_cast<std::int64_t>(key1));
    b = by_c;
    d = by_a;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return at::stack({a, b, c, d}, 1).bitwise_and(kWord).view(-1).narrow(0, 0, count);
}

}  // namespace paretofl
