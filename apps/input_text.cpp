#include "apps/input_text.h"

#include <unistd.h>

#include <charconv>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"

namespace paretofl {
namespace {

/// The descriptor that a name stands for; -1 for a file's name.
int open_descriptor(std::string_view name) {
  if (name == "-" || name == "/dev/stdin") return STDIN_FILENO;
  constexpr std::string_view kFolder = "/dev/fd/";
  int number = -1;
  if (!name.starts_with(kFolder)) return -1;
  const auto [end, failure] = std::from_chars(name.data() + kFolder.size(), name.data() + name.size(), number);
  return failure == std::errc() && end == name.data() + name.size() ? number : -1;
}

}  // namespace

std::string read_input(const std::string& name, std::string_view content) {
  const int descriptor = open_descriptor(name);
  const std::string shown = descriptor == STDIN_FILENO ? "standard input" : name;
  const std::string text = descriptor < 0 ? read_file(name) : read_descriptor(descriptor, shown);
  expect(!text.empty(), "{}: expected {}, found nothing", shown, content);
  return text;
}

}  // namespace paretofl
