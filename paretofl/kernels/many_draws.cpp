#include "paretofl/kernels/many_draws.h"

#include <algorithm>
#include <array>
#include <cstddef>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace paretofl {
namespace {

constexpr std::size_t kBlocks = 4;  // side by side
constexpr std::size_t kGroups = 4;  // one after the other, which hide that a round waits for the one before
constexpr std::size_t kDraws = 4 * kBlocks * kGroups;

#if defined(__AVX2__)

// Words of kBlocks blocks, each the lower half of a lane; upper halves may hold anything.
using Words = std::uint64_t __attribute__((vector_size(8 * kBlocks)));

Words product(Words words, std::uint32_t factor) {
  return reinterpret_cast<Words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(words), _mm256_set1_epi64x(factor)));
}

// philox4x32 of blocks that follow one another.
void draw_blocks(const Random& fresh, std::uint32_t first_block, std::uint32_t* draws) {
  const std::array<std::uint32_t, 4>& counter = fresh.counter();
  Words x[kGroups][4];
  for (std::size_t g = 0; g < kGroups; ++g) {
    const auto first = static_cast<std::uint32_t>(counter[0] + first_block + kBlocks * g);
    x[g][0] = Words{first, first + 1, first + 2, first + 3};
    for (std::size_t word = 1; word < 4; ++word) x[g][word] = Words{} + counter[word];
  }
  std::uint32_t key0 = fresh.key()[0];
  std::uint32_t key1 = fresh.key()[1];
  for (int round = 0; round < 10; ++round) {
    for (Words(&words)[4] : x) {
      const Words product0 = product(words[0], 0xD2511F53U);
      const Words product1 = product(words[2], 0xCD9E8D57U);
      words[0] = (product1 >> 32) ^ words[1] ^ key0;
      words[1] = product1;
      words[2] = (product0 >> 32) ^ words[3] ^ key1;
      words[3] = product0;
    }
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  for (const Words(&words)[4] : x) {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      for (const Words& word : words) *draws++ = static_cast<std::uint32_t>(word[b]);
    }
  }
}

#else

void draw_blocks(const Random& fresh, std::uint32_t first_block, std::uint32_t* draws) {
  std::array<std::uint32_t, 4> counter = fresh.counter();
  counter[0] += first_block;
  for (std::size_t b = 0; b < kBlocks * kGroups; ++b, ++counter[0]) draws = std::ranges::copy(philox4x32(counter, fresh.key()), draws).out;
}

#endif

}  // namespace

void many_draws(const Random& fresh, std::uint64_t first, std::span<std::uint32_t> draws) {
  auto block = static_cast<std::uint32_t>(first / 4);
  std::size_t done = 0;
  for (; done + kDraws <= draws.size(); done += kDraws, block += kDraws / 4) draw_blocks(fresh, block, &draws[done]);
  if (done == draws.size()) return;
  std::array<std::uint32_t, kDraws> last;
  draw_blocks(fresh, block, last.data());
  std::copy_n(last.begin(), draws.size() - done, draws.begin() + static_cast<std::ptrdiff_t>(done));
}

}  // namespace paretofl
