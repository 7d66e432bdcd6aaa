#pragma once

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_error.h"

namespace paretofl::python {

/// Gives a thread of the engine a Python thread state that lasts as long as the thread, so that what Python code keeps in a
/// threading.local is there at the next call. Call it before taking the interpreter's lock.
void keep_thread_state();

/// The body's result, with the interpreter's lock held. What Python raises is an Error, begun by `who` where a result is of another type
/// than it should be.
template <class Body>
auto with_interpreter(const char* who, const Body& body) {
  keep_thread_state();
  const nb::gil_scoped_acquire lock;
  try {
    return body();
  } catch (const nb::python_error& exception) {
    throw_as_error(exception);
  } catch (const nb::cast_error&) {
    throw Error(fmt::format("{}: expected a value of another type from Python", who));
  }
}

}  // namespace paretofl::python
