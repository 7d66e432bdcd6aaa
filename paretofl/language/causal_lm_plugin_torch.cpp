#include "paretofl/core/error.h"
#include "paretofl/language/causal_lm_plugin.h"
#include "paretofl/language/causal_lm_torch.h"
#include "paretofl/language/checkpoint_torch.h"
#include "paretofl/model_files/safetensors_folder.h"
#include "paretofl/models/torch_thread.h"

namespace paretofl {

CausalLm* paretofl_make_causal_lm(const LanguageModelConfig& config, const std::filesystem::path* folder, const Random* random,
                                  const LoraOptions& lora, const ModelPlacement& placement) {
  pin_torch_thread();
  expect(folder == nullptr || !SafetensorsFolder(*folder).contains("score.weight"),
         "{}: expected a language model, found a classifier's, with score.weight", folder == nullptr ? "" : folder->string());
  const TensorLookup lookup =
      folder == nullptr ? random_tensors(config, *random, placement) : stored_tensors(*folder, config.num_hidden_layers, placement);
  return new TorchCausalLm(config, lora, make_decoder_weights(config, lookup), placement);
}

}  // namespace paretofl
