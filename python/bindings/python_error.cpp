#include "python/bindings/python_error.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "paretofl/core/error.h"

namespace paretofl::python {

namespace nb = nanobind;

std::string spelt_out(const nb::str& text) {
  const nb::bytes bytes(text.attr("encode")("utf-8", "backslashreplace"));
  return {bytes.c_str(), bytes.size()};
}

void throw_as_error(const nb::python_error& exception) {
  if (!exception.matches(PyExc_Exception)) throw exception;
  std::string text;
  try {
    text = spelt_out(nb::str(exception.value()));
    if (!exception.matches(nb::module_::import_("paretofl._engine").attr("Error"))) {
      const auto type = spelt_out(nb::str(exception.type().attr("__name__")));
      // The frames of Python code that the engine has called; exception.what() has those of its callers too.
      const nb::object lines =
          nb::module_::import_("traceback").attr("format_exception")(exception.type(), exception.value(), exception.traceback());
      text = fmt::format("{}{}{}\n{}", type, text.empty() ? "" : ": ", text, spelt_out(nb::str(nb::str("").attr("join")(lines))));
      while (text.ends_with('\n')) text.pop_back();
    }
  } catch (const nb::python_error&) {  // an exception whose str() raises
    text = exception.what();
  }
  throw Error(text);
}

}  // namespace paretofl::python
