#include "paretofl/parties/problem_part.h"

#include <fmt/format.h>

#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/input_file.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/whole_file.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

constexpr const char* kOwnerFile = "part.json";
constexpr std::uint64_t kMostOwnerBytes = 4096;

}  // namespace

std::string ProblemPart::owner() const { return client ? fmt::format("client {}", *client) : "the server"; }

bool ProblemPart::has(const std::string& name) const {
  std::error_code failure;
  const bool found = std::filesystem::exists(file(name), failure);
  expect(!failure, "{}: expected to look for it, found: {}", file(name).string(), failure.message());
  return found;
}

void ProblemPart::check_owner() const {
  const std::string name = file(kOwnerFile).string();
  const nlohmann::json json = parse_json(read_file(file(kOwnerFile), kMostOwnerBytes), name);
  const JsonObject object(json, name);
  const std::string party = object.text("party");
  expect(party == "client" || party == "server", "{}: party: expected client or server, found '{}'", name, printable(party));
  ProblemPart found;
  if (party == "client") found.client = static_cast<int>(object.integer("client", 0, std::numeric_limits<int>::max()));
  expect(found.client == client, "{}: expected the data of {}, found those of {}", name, owner(), found.owner());
}

void write_owner(const ProblemPart& part) {
  nlohmann::ordered_json json{{"party", part.client ? "client" : "server"}};
  if (part.client) json["client"] = *part.client;
  write_whole_file(part.file(kOwnerFile), json_text(json) + "\n");
}

}  // namespace paretofl
