#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "paretofl/data/partition.h"
#include "paretofl/images/augmentation.h"
#include "paretofl/images/glyph_images.h"

namespace paretofl {
namespace {

ImageDataset random_images(std::size_t count) {
  Random random({.seed = 1}, "benchmark");
  ImageDataset images;
  images.count = count;
  images.height = images.width = 28;
  for (std::size_t i = 0; i < count * 28 * 28; ++i) images.pixels.push_back(static_cast<std::uint8_t>(random.below(256)));
  return images;
}

// A batch of 128 images of 28 x 28; the argument says whether they are rotated.
void write_inputs_batch(benchmark::State& state) {
  const ImageDataset images = random_images(600);
  Random random({.seed = 1}, "augmentation");
  std::vector<std::uint32_t> samples(128);
  std::iota(samples.begin(), samples.end(), 100U);
  std::vector<float> inputs(samples.size() * images.image_size());
  for (auto _ : state) {
    write_inputs(images, samples, {}, state.range(0) == 0 ? nullptr : &random, inputs);
    benchmark::DoNotOptimize(inputs.data());
  }
}
BENCHMARK(write_inputs_batch)->ArgName("rotated")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

// 60,000 samples with 100 labels, dealt to `clients` with `samples` each.
void partition_digits(benchmark::State& state) {
  Random random({.seed = 1}, "labels");
  std::vector<std::uint32_t> labels(60000);
  for (auto& label : labels) label = static_cast<std::uint32_t>(random.below(100));
  const DirichletSplit split{static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)), 0.3};
  for (auto _ : state) benchmark::DoNotOptimize(dirichlet_partition(labels, split, random).samples.data());
}
BENCHMARK(partition_digits)
    ->ArgNames({"clients", "samples"})
    ->Args({100, 600})
    ->Args({10000, 6})
    ->Args({10000, 600})
    ->Unit(benchmark::kMillisecond);

void draw_glyph_images(benchmark::State& state) {
  const Random random({.seed = 1}, "glyphs");
  for (auto _ : state) benchmark::DoNotOptimize(draw_glyphs(static_cast<std::size_t>(state.range(0)), {}, random).pixels.data());
}
BENCHMARK(draw_glyph_images)->ArgName("images")->Arg(12000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace paretofl
