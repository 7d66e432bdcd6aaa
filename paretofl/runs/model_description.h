#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/core/record.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// What checkpoints say about the model beside its numbers, so that it can be exported where neither the workload nor its data are at hand.
struct ModelDescription {
  static constexpr const char* kRecord = "model";  ///< its name in a checkpoint

  std::shared_ptr<const Layout> layout;
  std::vector<std::string> objectives;  ///< [M]
  std::string network;                  ///< as onnx_graph() returns it; empty if the workload's model has none
  std::string statistics = {};          ///< Workload::statistics() as JSON; empty where there are none
  std::size_t client_models = 0;        ///< n, where every client has a model of its own; else 0

  static ModelDescription of(const Workload& workload, std::size_t client_models = 0);

  Record save() const;
  /// Throws Error on what save() does not write.
  static ModelDescription load(const Record& state);
};

}  // namespace paretofl
