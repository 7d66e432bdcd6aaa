#include "paretofl/workloads/glyphs.h"

namespace paretofl {

void GlyphsOptions::describe(OptionVisitor& visit) {
  images.describe(visit);
  visit.integer("train_images", train_images, 1, 10'000'000, "number of training images");
  visit.integer("test_images", test_images, 1, 10'000'000, "number of test images");
  visit.real("distortion", style.distortion, 0, 2,
             "scale of the random changes in shape, stroke width and ink; 0: every digit looks the same");
  visit.real("noise", style.noise, 0, 1, "standard deviation of the pixel noise, on the scale from 0 (black) to 1 (white)");
}

std::unique_ptr<Workload> make_glyphs(const GlyphsOptions& options, std::uint64_t seed) {
  const StreamId stream{seed, 0, kServerStream};
  ImageSplits splits{draw_glyphs(static_cast<std::size_t>(options.train_images), options.style, Random(stream, "glyphs train")),
                     draw_glyphs(static_cast<std::size_t>(options.test_images), options.style, Random(stream, "glyphs test")),
                     {}};
  return std::make_unique<ImageClassification>(options.images, std::move(splits), seed);
}

}  // namespace paretofl
