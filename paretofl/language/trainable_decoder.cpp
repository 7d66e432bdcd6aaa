#include "paretofl/language/trainable_decoder.h"

#include "paretofl/language/trainable_decoder_plugin.h"
#include "paretofl/models/torch_library.h"

namespace paretofl {

std::shared_ptr<const TrainableDecoder> make_trainable_decoder(const LanguageModelConfig& config, DecoderHead head,
                                                               const ModelPlacement& placement) {
  void* const make = library_function(kTorchLibrary, "paretofl_make_trainable_decoder");
  return std::shared_ptr<const TrainableDecoder>(
      reinterpret_cast<decltype(&paretofl_make_trainable_decoder)>(make)(config, head, placement));
}

}  // namespace paretofl
