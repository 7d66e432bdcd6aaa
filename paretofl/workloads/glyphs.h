#pragma once

#include "paretofl/images/glyph_images.h"
#include "paretofl/workloads/image_classification.h"

namespace paretofl {

struct GlyphsOptions {
  ImageClassificationOptions images{.clients = 20, .samples_per_client = 300, .batch_size = 64, .rotation_degrees = 10};
  std::int64_t train_images = 6000;
  std::int64_t test_images = 2000;
  GlyphStyle style;

  void describe(OptionVisitor& visit);
};

/// Procedural images of two digits, drawn at start-up from the seed: for trying things out, demos and
/// tests without any download.
std::unique_ptr<Workload> make_glyphs(const GlyphsOptions& options, std::uint64_t seed);

}  // namespace paretofl
