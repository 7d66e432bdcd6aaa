#pragma once

#include <nanobind/nanobind.h>

namespace paretofl::python {

/// Throws the Error that stands for an exception of Python code: the message alone of a paretofl.Error, otherwise "Type: message" and
/// the traceback. The caller holds the interpreter's lock.
[[noreturn]] void throw_as_error(const nanobind::python_error& exception);

}  // namespace paretofl::python
