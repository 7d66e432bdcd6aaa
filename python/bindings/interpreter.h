#pragma once

#include <nanobind/nanobind.h>

#include "paretofl/core/error.h"
#include "python/bindings/python_error.h"

namespace paretofl::python {

/// Calls `body` with the interpreter's lock; what Python code raises in it is an Error. For any thread of the engine.
template <class Body>
auto with_interpreter(const Body& body) {
  const nanobind::gil_scoped_acquire lock;
  try {
    return body();
  } catch (const nanobind::python_error& exception) {
    throw_as_error(exception);
  } catch (const nanobind::cast_error&) {
    throw Error("problem: expected a value of another type from the problem's method");
  }
}

}  // namespace paretofl::python
