#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace paretofl {

/// The formats that models are exported in: "safetensors", "numpy" (.npz) and "onnx".
inline constexpr const char* kExportFormats = "safetensors, numpy or onnx";
inline constexpr int kExportVersion = 1;  ///< of names and metadata in such files

/// What `paretofl export` is asked to do.
struct ExportRequest {
  std::filesystem::path run;
  std::string format;
  std::filesystem::path output;
  std::optional<int> client = std::nullopt;                      ///< whose model, where every client has its own
  std::optional<std::vector<double>> preference = std::nullopt;  ///< of any scale, where there is a model for every one; none: uniform
};

/// What was written.
struct ExportOutcome {
  std::int64_t round = 0;      ///< whose model it is
  std::size_t tensors = 0;     ///< slices of the model's layout
  std::size_t parameters = 0;  ///< d
};

/// Writes a run's trained model (TrainedModel::theta) into a file of that format: one float32 tensor for each slice of its layout, with its
/// name and shape, or the network with these. Safetensors and ONNX files have metadata: paretofl_format (kExportVersion), workload,
/// strategy, seed, round, objectives (a JSON list), `client` of a client's own model, `preference`
/// (a JSON list, as it was given) of a model for one, and `chosen_by` of a chosen one. Needs neither the
/// workload nor its data, but for runs of versions whose checkpoints do not describe the model. Throws Error on a run without
/// a checkpoint, an unknown format, a client that is missing or needless, a preference that does not fit, and onnx for a model whose
/// network is not known.
ExportOutcome export_model(const ExportRequest& request);

}  // namespace paretofl
