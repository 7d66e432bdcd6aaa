#include "paretofl/parties/problem_part.h"

#include <fmt/format.h>

#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

constexpr std::uint64_t kMostOwnerBytes = std::uint64_t{1} << 24;

/// The part of a folder with a part.json.
ProblemPart read_owner(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / ProblemPart::kOwnerFile;
  return {.folder = folder, .client = parse_owner(read_file(file, kMostOwnerBytes), file.string())};
}

}  // namespace

std::string ProblemPart::owner() const { return client ? fmt::format("client {}", *client) : "the server"; }

bool ProblemPart::has(const std::string& name) const {
  std::error_code failure;
  const bool found = std::filesystem::exists(file(name), failure);
  expect(!failure, "{}: expected to look for it, found: {}", file(name).string(), failure.message());
  return found;
}

void ProblemPart::check_owner() const {
  const ProblemPart found = read_owner(folder);
  expect(found.client == client, "{}: expected the data of {}, found those of {}", file(kOwnerFile).string(), owner(), found.owner());
}

std::optional<ProblemPart> part_in(const std::filesystem::path& folder) {
  if (!ProblemPart{folder}.has(ProblemPart::kOwnerFile)) return {};
  return read_owner(folder);
}

std::optional<int> parse_owner(std::string_view text, const std::string& name) {
  const nlohmann::json json = parse_json(text, name);
  const JsonObject object(json, name);
  const std::string party = object.text("party");
  if (party == "server") return std::nullopt;
  expect(party == "client", "{}: party: expected client or server, found '{}'", name, printable(party));
  return static_cast<int>(object.integer("client", 0, std::numeric_limits<int>::max()));
}

std::optional<std::vector<std::string>> files_of_part(const ProblemPart& part) {
  const std::filesystem::path file = part.file(ProblemPart::kOwnerFile);
  const nlohmann::json json = parse_json(read_file(file, kMostOwnerBytes), file.string());
  const JsonObject object(json, file.string());
  if (!object.has("files")) return {};
  return object.texts("files");
}

void write_owner(const ProblemPart& part, const std::vector<std::string>& files) {
  nlohmann::ordered_json json{{"party", part.client ? "client" : "server"}};
  if (part.client) json["client"] = *part.client;
  json["files"] = files;
  write_whole_file(part.file(ProblemPart::kOwnerFile), json_text(json) + "\n");
}

}  // namespace paretofl
