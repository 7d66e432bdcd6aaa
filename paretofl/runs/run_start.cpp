#include "paretofl/runs/run_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <span>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/durable_file.h"
#include "paretofl/files/input_file.h"
#include "paretofl/text/json_object.h"

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

bool is_run(const std::string& text) {
  return text.size() == 32 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

RunStart RunStart::parse(std::string_view text, const std::string& name) {
  const auto json = parse_json(text, name);
  const JsonObject object(json, name);
  RunStart start{.run = object.text("run"), .starts = {}};
  expect(is_run(start.run), "{}: run: expected 32 hexadecimal digits, found '{}'", name, printable(start.run));
  for (const auto& number : object.list("starts")) {
    const auto found = number_of(number);
    expect(found.has_value(), "{}: starts: expected texts of 16 hexadecimal digits, found {}", name, printable(number.dump()));
    start.starts.push_back(*found);
  }
  expect(!start.starts.empty(), "{}: starts: expected at least one, found none", name);
  return start;
}

std::string RunStart::text() const {
  nlohmann::ordered_json numbers = nlohmann::ordered_json::array();
  for (const std::uint64_t number : starts) numbers.push_back(digits(number));
  return json_text(nlohmann::ordered_json{{"run", run}, {"starts", numbers}}, 2) + '\n';
}

std::string RunStart::current() const { return digits(starts.back()); }

RunStart RunStart::next(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  RunStart start;
  if (std::filesystem::exists(file)) {
    start = parse(read_file(file), file.string());
  } else {
    start.run = digits(random_number()) + digits(random_number());
  }
  start.starts.push_back(random_number());
  std::filesystem::create_directories(file.parent_path());
  const std::string text = start.text();
  DurableFile::replace("run directory", file, std::as_bytes(std::span(text)));
  return start;
}

}  // namespace paretofl
