#include "paretofl/registry/plugins.h"

#include "apps/command_line.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_object.h"

namespace paretofl::python {
namespace {

/// Runs a Python file, whose classes register themselves (python/paretofl/plugins.py).
void load_python_file(const std::filesystem::path& file) {
  with_interpreter("plugin", [&] { nb::module_::import_("paretofl.plugins").attr("run_file")(file.string()); });
}

int command(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const nb::gil_scoped_release unlocked;
  return run_command_line(static_cast<int>(arguments.size()), pointers.data());
}

}  // namespace

void bind_plugins(nb::module_& module) {
  set_plugin_loader(".py", load_python_file);
  module.def("command", &command, "arguments"_a);
  module.def(
      "load_plugin", [](const std::string& file) { load_plugin(file); }, "file"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace paretofl::python
