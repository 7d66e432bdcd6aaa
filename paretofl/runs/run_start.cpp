#include "paretofl/runs/run_start.h"

#include <fmt/format.h>

#include <random>
#include <span>

#include "paretofl/core/durable_file.h"
#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

std::string new_run_id() {
  std::random_device device;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  return id;
}

}  // namespace

RunStart RunStart::next(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  RunStart start{.run = "", .start = 1};
  if (std::filesystem::exists(file)) {
    const auto json = parse_json(read_file(file), file.string());
    const bool whole = json.is_object() && json.contains("run") && json["run"].is_string() && json.contains("starts") &&
                       json["starts"].is_number_unsigned();
    expect(whole, "{}: expected an object with run and starts, found something else", file.string());
    start = {json["run"].get<std::string>(), json["starts"].get<std::uint64_t>() + 1};
  } else {
    start.run = new_run_id();
  }
  std::filesystem::create_directories(file.parent_path());
  const std::string text = json_text(nlohmann::ordered_json{{"run", start.run}, {"starts", start.start}}, 2) + '\n';
  DurableFile::replace("run directory", file, std::as_bytes(std::span(text)));
  return start;
}

}  // namespace paretofl
