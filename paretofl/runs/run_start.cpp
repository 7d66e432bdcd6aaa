#include "paretofl/runs/run_start.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <random>
#include <span>

#include "paretofl/core/durable_file.h"
#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

std::string digits(std::uint64_t number) { return fmt::format("{:016x}", number); }

/// What digits() has written; nothing for other texts.
std::optional<std::uint64_t> number_of(const nlohmann::json& text) {
  if (!text.is_string()) return {};
  const auto& written = text.get_ref<const std::string&>();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), number, 16);
  if (error != std::errc() || end != written.data() + written.size() || digits(number) != written) return {};
  return number;
}

}  // namespace

std::string RunStart::current() const { return digits(starts.back()); }

RunStart RunStart::next(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  RunStart start;
  if (std::filesystem::exists(file)) {
    const auto json = parse_json(read_file(file), file.string());
    const bool whole = json.is_object() && json.contains("run") && json["run"].is_string() && json.contains("starts") &&
                       json["starts"].is_array() && !json["starts"].empty();
    expect(whole, "{}: expected an object with run and starts, found something else", file.string());
    start.run = json["run"].get<std::string>();
    for (const auto& text : json["starts"]) {
      const auto number = number_of(text);
      expect(number.has_value(), "{}: expected starts of 16 hexadecimal digits, found another", file.string());
      start.starts.push_back(*number);
    }
  } else {
    start.run = digits(random_number()) + digits(random_number());
  }
  start.starts.push_back(random_number());
  std::filesystem::create_directories(file.parent_path());
  nlohmann::ordered_json starts = nlohmann::ordered_json::array();
  for (const std::uint64_t number : start.starts) starts.push_back(digits(number));
  const std::string text = json_text(nlohmann::ordered_json{{"run", start.run}, {"starts", starts}}, 2) + '\n';
  DurableFile::replace("run directory", file, std::as_bytes(std::span(text)));
  return start;
}

}  // namespace paretofl
