#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "paretofl/core/layout.h"
#include "paretofl/models/network_graph.h"

namespace paretofl {

/// A network without its parameters as the bytes of ONNX's message GraphProto, as checkpoints keep it.
std::string onnx_graph(const NetworkGraph& network);

/// Writes an ONNX file (ONNX 1.12 or newer reads it: version 8 of its format, operators of version 17): the graph, as onnx_graph returned
/// it, with those parameters theta [d] that it names. The file appears whole or not at all. Throws Error on bytes that are no graph, on
/// theta of another size than the layout, and on more than the 2 GB that such a file may hold.
void write_onnx(const std::filesystem::path& file, const std::string& graph, const Layout& layout, std::span<const float> theta,
                const std::map<std::string, std::string>& metadata);

}  // namespace paretofl
