#include "paretofl/report/javascript.h"

#include "paretofl/registry/part_library.h"

namespace paretofl {
namespace {

constexpr PartLibrary kJavascriptLibrary{
    .file = "libparetofl_javascript.so", .dependency = "SpiderMonkey", .option = "PARETOFL_JAVASCRIPT", .package = "paretofl"};

}  // namespace

std::string run_javascript(const std::vector<std::string_view>& scripts) {
  using Run = void (*)(const std::vector<std::string_view>*, std::string*);
  static const Run kRun = reinterpret_cast<Run>(library_function(kJavascriptLibrary, "paretofl_run_javascript"));
  std::string result;
  kRun(&scripts, &result);
  return result;
}

}  // namespace paretofl
