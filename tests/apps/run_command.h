#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace paretofl {

/// What a shell command line left behind.
struct Outcome {
  int code = -1;
  std::string out;
};

/// Runs a command line in `folder` and takes its standard output, or with `2>&1` both streams.
inline Outcome run_in_shell(const std::string& line, const std::filesystem::path& folder = ".") {
  std::FILE* pipe = ::popen(("cd '" + folder.string() + "' && " + line).c_str(), "r");
  Outcome outcome;
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) outcome.out.append(buffer.data(), count);
  outcome.code = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

}  // namespace paretofl
