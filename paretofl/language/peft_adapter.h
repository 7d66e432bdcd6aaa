#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/language/causal_lm.h"

namespace paretofl {

/// The LoRA options of a PEFT folder's adapter_config.json, with ranks and alphas by modules (rank_pattern, alpha_pattern), rank
/// stabilization (use_rslora) and targets as a list, a regular expression or "all-linear". Throws Error naming the file on other kinds of
/// adapters, on variants of LoRA that are not built (such as DoRA's use_dora, and modules_to_save), and on any key that is set and not
/// known to be harmless.
LoraOptions read_peft_options(const std::filesystem::path& folder);

/// The same of adapter_config.json's text; `name` is its name in errors.
LoraOptions parse_peft_options(const std::string& text, const std::string& name);

/// The adapter [d] of a PEFT folder's adapter_model.safetensors, in the order of the layout (lora_layout). Throws Error on
/// a tensor that is missing, is not the layout's or has another shape.
std::vector<float> read_peft_adapter(const std::filesystem::path& folder, const Layout& layout);

/// The folder of the base model that a PEFT folder names: as it is written there, or a folder of that name within the adapter's. Throws
/// Error where there is none.
std::filesystem::path read_peft_base(const std::filesystem::path& folder);

/// Writes both files, so that PEFT loads them onto the base model (of that family) at `base`. Throws Error where the folder
/// cannot be written.
void write_peft_adapter(const std::filesystem::path& folder, const Layout& layout, const LoraOptions& lora, std::span<const float> adapter,
                        const std::string& model_type, const std::string& base);

}  // namespace paretofl
