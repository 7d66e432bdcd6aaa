#include "paretofl/model_files/stored_tensor.h"

namespace paretofl {

const StoredTensor& stored_tensor(const SafetensorsFolder& files, const std::string& name) {
  if (!files.contains(name)) {
    for (const std::string prefix : {"model.", "transformer.", "deberta."}) {
      if (name.starts_with(prefix) && files.contains(name.substr(prefix.size()))) return files.tensor(name.substr(prefix.size()));
    }
  }
  return files.tensor(name);
}

}  // namespace paretofl
