#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace paretofl::python {

/// A str of Python in UTF-8, in which a lone surrogate is spelt out, as \ud800. The caller holds the interpreter's lock.
std::string spelt_out(const nanobind::str& text);

/// Throws the Error that stands for an exception of Python code: the message alone of a paretofl.Error, otherwise "Type: message" and
/// the traceback. KeyboardInterrupt, SystemExit and whatever else is no Exception of Python stays what it is: it
/// ends the call that the engine was in, but for a client's part of a round and a run of a sweep, which record every failure. The caller
/// holds the interpreter's lock.
[[noreturn]] void throw_as_error(const nanobind::python_error& exception);

}  // namespace paretofl::python
