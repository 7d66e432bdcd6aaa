#include "paretofl/model_files/activation_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::string activation(const ConfigKeys& keys, const char* key, const char* absent, std::span<const std::string_view> built) {
  const std::string name = keys.written(key) ? keys.text(key) : absent;
  if (name == "gelu_pytorch_tanh") return "gelu_new";
  expect(std::find(built.begin(), built.end(), name) != built.end(), "{}: expected {} to be one of {}, found '{}'", keys.name(), key,
         fmt::join(built, ", "), name);
  return name;
}

}  // namespace

std::string hidden_activation(const ConfigKeys& keys, const char* key, const char* absent) {
  static constexpr std::array<std::string_view, 3> kBuilt = {"silu", "gelu", "gelu_new"};
  return activation(keys, key, absent, kBuilt);
}

std::string pooler_activation(const ConfigKeys& keys) {
  static constexpr std::array<std::string_view, 5> kBuilt = {"silu", "gelu", "gelu_new", "relu", "tanh"};
  return activation(keys, "pooler_hidden_act", "gelu", kBuilt);
}

}  // namespace paretofl
