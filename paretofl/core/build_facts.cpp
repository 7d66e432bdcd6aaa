#include "paretofl/core/build_facts.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

#include "paretofl/core/version.h"

namespace paretofl {

std::string_view built_by() {
#ifdef __clang__
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string_view built_for() {
#if defined(__AVX512F__) && defined(__FMA__)
  return "AVX-512, FMA";
#elif defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2, FMA";
#elif defined(__AVX2__)
  return "AVX2";
#else
  return "the basic ones";
#endif
}

std::string build_text() { return fmt::format("{} for {}", built_by(), built_for()); }

std::string version_text() {
  const std::string_view commit = built_commit();
  return commit.empty() ? PARETOFL_VERSION : fmt::format("{} (commit {})", PARETOFL_VERSION, commit);
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "";
}

}  // namespace paretofl
