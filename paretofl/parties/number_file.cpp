#include "paretofl/parties/number_file.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json nested(std::span<const double> values, std::span<const std::size_t> shape) {
  ordered_json list = ordered_json::array();
  const std::size_t step = values.size() / shape[0];
  for (std::size_t i = 0; i < shape[0]; ++i) {
    if (shape.size() == 1) {
      list.push_back(values[i]);
    } else {
      list.push_back(nested(values.subspan(i * step, step), shape.subspan(1)));
    }
  }
  return list;
}

void append(const json& list, std::span<const std::size_t> shape, const std::string& where, std::vector<double>& values) {
  expect(list.is_array(), "{}: expected a list of {}, found {}", where, shape[0], list.type_name());
  expect(list.size() == shape[0], "{}: expected a list of {}, found {}", where, shape[0], list.size());
  for (std::size_t i = 0; i < shape[0]; ++i) {
    const json& item = list[i];
    if (shape.size() > 1) {
      append(item, shape.subspan(1), fmt::format("{}[{}]", where, i), values);
      continue;
    }
    expect(item.is_number(), "{}[{}]: expected a number, found {}", where, i, item.type_name());
    values.push_back(item.get<double>());
  }
}

}  // namespace

void write_numbers(const std::filesystem::path& file, std::span<const NumberArray> arrays) {
  ordered_json document = ordered_json::object();
  for (const NumberArray& array : arrays) document[array.name] = nested(array.values, array.shape);
  write_whole_file(file, json_text(document) + "\n");
}

std::vector<std::vector<double>> parse_numbers(std::string_view text, const std::string& file, std::span<const NumberArray> shapes) {
  const json document = parse_json(text, file);
  const JsonObject object(document, file);
  std::vector<std::vector<double>> arrays;
  for (const NumberArray& wanted : shapes) {
    append(object.list(wanted.name), wanted.shape, fmt::format("{}: {}", file, wanted.name), arrays.emplace_back());
  }
  return arrays;
}

std::vector<std::vector<double>> read_numbers(const std::filesystem::path& file, std::span<const NumberArray> shapes) {
  return parse_numbers(read_text(file), file.string(), shapes);
}

}  // namespace paretofl
