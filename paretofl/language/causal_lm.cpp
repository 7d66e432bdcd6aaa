#include "paretofl/language/causal_lm.h"

#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm_plugin.h"
#include "paretofl/model_files/stored_head.h"
#include "paretofl/models/torch_library.h"

namespace paretofl {
namespace {

decltype(&paretofl_make_causal_lm) factory() {
  return reinterpret_cast<decltype(&paretofl_make_causal_lm)>(library_function(kTorchLibrary, "paretofl_make_causal_lm"));
}

}  // namespace

std::shared_ptr<const CausalLm> load_causal_lm(const std::filesystem::path& folder, const LoraOptions& lora,
                                               const ModelPlacement& placement) {
  LanguageModelConfig config = read_language_model_config(folder);
  expect(config.model_type != "deberta-v2", "{}: expected a decoder language model, found model_type {}", folder.string(),
         config.model_type);
  config = with_stored_head(std::move(config), folder);
  return std::shared_ptr<const CausalLm>(factory()(config, &folder, nullptr, lora, placement));
}

std::shared_ptr<const CausalLm> random_causal_lm(const LanguageModelConfig& config, Random random, const LoraOptions& lora,
                                                 const ModelPlacement& placement) {
  return std::shared_ptr<const CausalLm>(factory()(config, nullptr, &random, lora, placement));
}

}  // namespace paretofl
