#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "paretofl/language/causal_lm.h"
#include "tests/data_folder.h"

namespace paretofl {

/// A tiny model with what the reference library computes with it.
struct GoldenDecoder {
  explicit GoldenDecoder(const std::string& name) : folder(golden_folder() / "transformers" / name) {
    std::ifstream file(folder / "golden.json");
    if (file) golden = nlohmann::json::parse(file);
  }

  std::filesystem::path folder;
  nlohmann::json golden;
};

inline const LoraOptions kNoAdapter = {.rank = 0};

/// As many generated tokens as the recordings have, always the most probable one.
inline const Sampling kGreedy = {.max_new_tokens = 48, .temperature = 0, .stop = {}};

}  // namespace paretofl

/// First line of a test on them.
#define PARETOFL_NEEDS_GOLDEN_MODELS() PARETOFL_NEEDS_DATA("../golden/transformers")
