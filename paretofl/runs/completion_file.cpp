#include "paretofl/runs/completion_file.h"

#include <fstream>
#include <sstream>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/input_file.h"
#include "paretofl/files/whole_file.h"

namespace paretofl {

void CompletionFile::rewind(std::uint32_t round) const {
  if (!std::filesystem::exists(path_)) return;
  const std::string text = read_file(path_);
  std::string kept;
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // half written
    const std::string line = text.substr(begin, end + 1 - begin);
    const std::string where = fmt::format("{}:{}", path_.string(), number);
    const auto json = parse_json(line, where);
    expect(json.is_object() && json.contains("round") && json["round"].is_number_unsigned(), "{}: expected a line with a round, found none",
           where);
    if (json["round"].get<std::uint64_t>() > round) break;
    kept += line;
    begin = end + 1;
  }
  if (kept.size() != text.size()) write_whole_file(path_, kept);
}

void CompletionFile::append(const std::string& lines) const {
  if (lines.empty()) return;
  std::ofstream file(path_, std::ios::app);
  file << lines << std::flush;
  expect(file.good(), "{}: expected to write completions, found a failure", path_.string());
}

}  // namespace paretofl
