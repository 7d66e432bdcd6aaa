#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace paretofl {

/// What a model computes in evaluation mode, as a graph of ONNX's operators (version kOperators of its standard set). Values have names:
/// those of the inputs, of slices of the model's layout, of constants, and those that add() returns. Every input and output has the batch
/// as its first dimension, which the shapes here leave out.
struct NetworkGraph {
  static constexpr std::int64_t kOperators = 17;

  using Attribute = std::variant<std::int64_t, float, std::vector<std::int64_t>>;
  using Attributes = std::map<std::string, Attribute>;

  struct Node {
    std::string operation;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Attributes attributes;
  };

  /// An input or an output of the network: float32, or int64 if it holds numbers of something.
  struct Port {
    std::string name;
    std::vector<std::int64_t> shape;  ///< of one sample
    bool integers = false;
  };

  struct Constant {
    std::string name;
    std::vector<std::int64_t> shape;
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;
  };

  /// Declares an input and returns its name.
  std::string input(Port port);
  /// Appends an operation with one output, whose name it returns.
  std::string add(const std::string& operation, std::vector<std::string> inputs, Attributes attributes = {});
  /// Likewise with `count` outputs.
  std::vector<std::string> add_several(const std::string& operation, std::vector<std::string> inputs, std::size_t count,
                                       Attributes attributes = {});
  /// Has the first input [N, C, ...] normalized, (x - mean) / std, before all else. `mean` and `std` each have C numbers, or one for all
  /// channels.
  void normalize_input(std::span<const double> mean, std::span<const double> std);
  /// Has the output that is called so multiplied by the factor and shifted after all else.
  void scale_output(const std::string& name, double factor, double shift);
  /// Declares the value as an output.
  void output(const std::string& value, Port port);

  /// A constant of that shape, row-major; with numbers of an empty shape, a scalar.
  std::string floats(std::vector<std::int64_t> shape, std::vector<float> values);
  std::string scalar(float value) { return floats({}, {value}); }
  /// A list of integers, such as a shape; a negative number there stands for what is left, and 0 for the dimension as it is.
  std::string integers(std::vector<std::int64_t> values);

  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<Constant> constants;
  std::vector<Node> nodes;

 private:
  std::string new_name();

  std::size_t names_ = 0;
};

}  // namespace paretofl
