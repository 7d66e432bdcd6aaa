#include "paretofl/core/explanation.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <system_error>

namespace paretofl {

std::string explanation(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return "memory: expected enough memory for this request, found too little";
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure)) {
    return fmt::format("{}: expected a file or folder that can be looked at, found: {}", file->path1().string(), file->code().message());
  }
  if (const auto* system = dynamic_cast<const std::system_error*>(&failure)) {
    return fmt::format("system: expected a resource such as another thread, found: {}", system->code().message());
  }
  return failure.what();
}

}  // namespace paretofl
