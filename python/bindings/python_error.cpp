#include "python/bindings/python_error.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "paretofl/core/error.h"

namespace paretofl::python {

namespace nb = nanobind;

void throw_as_error(const nb::python_error& exception) {
  std::string text;
  try {
    text = nb::cast<std::string>(nb::str(exception.value()));
    if (!exception.matches(nb::module_::import_("paretofl._engine").attr("Error"))) {
      const auto type = nb::cast<std::string>(exception.type().attr("__name__"));
      // The frames of Python code that the engine has called; exception.what() has those of its callers too.
      const nb::object lines =
          nb::module_::import_("traceback").attr("format_exception")(exception.type(), exception.value(), exception.traceback());
      text = fmt::format("{}{}{}\n{}", type, text.empty() ? "" : ": ", text, nb::cast<std::string>(nb::str("").attr("join")(lines)));
      while (text.ends_with('\n')) text.pop_back();
    }
  } catch (const nb::python_error&) {  // an exception whose str() raises
    text = exception.what();
  }
  throw Error(text);
}

}  // namespace paretofl::python
