#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// One party's share of a problem: a folder with problem.json (problem.h), part.json, which says whose folder it is, and the party's own
/// data.
struct ProblemPart {
  static constexpr const char* kOwnerFile = "part.json";

  std::filesystem::path folder;
  std::optional<int> client = {};  ///< nullopt: the server's part

  bool is_server() const { return !client.has_value(); }
  /// "client 3" or "the server".
  std::string owner() const;
  std::filesystem::path file(const std::string& name) const { return folder / name; }
  /// Whether the folder holds something of that name. Throws Error where that can't be told.
  bool has(const std::string& name) const;
  /// Throws Error unless the folder's part.json names the same owner.
  void check_owner() const;
};

/// The part that a folder holds, by its part.json; nullopt where it holds none, such as a folder of data sets.
std::optional<ProblemPart> part_in(const std::filesystem::path& folder);

/// Writes part.json: {"party": "client", "client": 3} or {"party": "server"}, with the names of the party's other "files".
void write_owner(const ProblemPart& part, const std::vector<std::string>& files);

/// The names of the files that part.json tells; nullopt where it has none of them. Throws Error as parse_owner().
std::optional<std::vector<std::string>> files_of_part(const ProblemPart& part);

/// The client that such a text names, or nullopt for the server. Throws Error, calling the text `name`, for anything else.
std::optional<int> parse_owner(std::string_view text, const std::string& name);

}  // namespace paretofl
