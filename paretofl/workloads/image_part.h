#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "paretofl/images/image_splits.h"
#include "paretofl/parties/problem.h"
#include "paretofl/parties/problem_part.h"

namespace paretofl {

// One party's images: train-images.idx and train-labels.idx of a client; test-images.idx and test-labels.idx, and the same of validation,
// of the server and of a client that has some of its own (labelled_image_files.h).

/// What all parties agree on: "channels", "height" and "width"; "labels" [M], each {"classes": n} or {"attributes": n}, whose label is a
/// byte with the first attribute in its lowest bit; "mean" and "std", on the scale 0 to 1, of one or every channel; "whole_degrees",
/// "nearest", "flip_probability" (augmentation.h); "same_for_every_seed".
nlohmann::json image_facts(const ImageSplits& splits);

/// The splits that such facts describe, without images. Throws Error, calling the problem `name` and naming the field, for facts that are
/// missing, of another kind or out of range.
ImageSplits splits_of_facts(const Problem& problem, const std::string& name);

/// The images of a party's folder, a client's at most `most_training` for training. Throws Error, naming the file, for what is missing or
/// does not fit problem.json.
ImageSplits read_image_part(const ProblemPart& part, std::int64_t most_training);

}  // namespace paretofl
