#include "paretofl/model_files/onnx_file.h"

#include <cassert>
#include <functional>
#include <numeric>
#include <ostream>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/version.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/model_files/onnx.pb.h"

namespace paretofl {
namespace {

constexpr std::int64_t kFormat = 8;
constexpr int kFloat32 = 1, kInt64 = 7;                             // TensorProto::data_type
constexpr int kFloatNumber = 1, kInteger = 2, kIntegerList = 7;     // AttributeProto::type
constexpr std::size_t kMaxModelBytes = std::size_t{2'000'000'000};  // below protobuf's limit of 2^31

/// Fills an initializer, which must have as many values as its shape says: other programs refuse the file otherwise.
template <class T>
void set_values(onnx::TensorProto& tensor, int type, std::span<const std::int64_t> shape, std::span<const T> values) {
  assert(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()) == std::ssize(values));
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  tensor.set_data_type(type);
  tensor.set_raw_data(values.data(), values.size_bytes());
}

void set_attribute(onnx::AttributeProto& message, const NetworkGraph::Attribute& attribute) {
  if (const auto* number = std::get_if<float>(&attribute)) {
    message.set_f(*number);
    message.set_type(kFloatNumber);
  } else if (const auto* integer = std::get_if<std::int64_t>(&attribute)) {
    message.set_i(*integer);
    message.set_type(kInteger);
  } else {
    for (const std::int64_t entry : std::get<std::vector<std::int64_t>>(attribute)) message.add_ints(entry);
    message.set_type(kIntegerList);
  }
}

void set_port(onnx::ValueInfoProto& message, const NetworkGraph::Port& port) {
  message.set_name(port.name);
  auto& tensor = *message.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(port.integers ? kInt64 : kFloat32);
  tensor.mutable_shape()->add_dim()->set_dim_param("batch");
  for (const std::int64_t extent : port.shape) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
}

void set_constant(onnx::TensorProto& message, const NetworkGraph::Constant& constant) {
  message.set_name(constant.name);
  if (const auto* floats = std::get_if<std::vector<float>>(&constant.values)) {
    set_values<float>(message, kFloat32, constant.shape, *floats);
  } else {
    set_values<std::int64_t>(message, kInt64, constant.shape, std::get<std::vector<std::int64_t>>(constant.values));
  }
}

}  // namespace

std::string onnx_graph(const NetworkGraph& network) {
  onnx::GraphProto graph;
  graph.set_name("model");
  for (const NetworkGraph::Node& node : network.nodes) {
    onnx::NodeProto& message = *graph.add_node();
    message.set_op_type(node.operation);
    for (const std::string& name : node.inputs) message.add_input(name);
    for (const std::string& name : node.outputs) message.add_output(name);
    for (const auto& [name, attribute] : node.attributes) {
      onnx::AttributeProto& entry = *message.add_attribute();
      entry.set_name(name);
      set_attribute(entry, attribute);
    }
  }
  for (const NetworkGraph::Constant& constant : network.constants) set_constant(*graph.add_initializer(), constant);
  for (const NetworkGraph::Port& port : network.inputs) set_port(*graph.add_input(), port);
  for (const NetworkGraph::Port& port : network.outputs) set_port(*graph.add_output(), port);
  return graph.SerializeAsString();
}

void write_onnx(const std::filesystem::path& file, const std::string& graph, const Layout& layout, std::span<const float> theta,
                const std::map<std::string, std::string>& metadata) {
  expect(theta.size() == layout.size(), "{}: expected {} parameters, found {}", file.string(), layout.size(), theta.size());
  expect(graph.size() < kMaxModelBytes && theta.size_bytes() < kMaxModelBytes - graph.size(),
         "{}: expected a network of at most {} bytes, which is what an ONNX file can hold, found more; safetensors and numpy hold it",
         file.string(), kMaxModelBytes);
  onnx::ModelProto model;
  expect(model.mutable_graph()->ParseFromString(graph), "{}: expected a network as a checkpoint keeps it, found other bytes",
         file.string());
  std::set<std::string, std::less<>> named;
  for (const onnx::NodeProto& node : model.graph().node()) named.insert(node.input().begin(), node.input().end());
  for (const Slice& slice : layout.slices()) {
    if (!named.contains(slice.name)) continue;
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_name(slice.name);
    set_values(tensor, kFloat32, slice.shape, theta.subspan(slice.range.begin, slice.range.size()));
  }
  model.set_ir_version(kFormat);
  model.set_producer_name("paretofl");
  model.set_producer_version(PARETOFL_VERSION);
  model.add_opset_import()->set_version(NetworkGraph::kOperators);
  for (const auto& [key, value] : metadata) {
    onnx::StringStringEntryProto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  write_whole_file(file, [&](std::ostream& out) {
    if (!model.SerializeToOstream(&out)) out.setstate(std::ios::failbit);
  });
}

}  // namespace paretofl
