#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "paretofl/core/error.h"
#include "python/bindings/python_error.h"

namespace paretofl::python {

/// Calls `body` with the interpreter's lock; what Python raises in it is an Error, begun by `who` where a result is of another type than
/// it should be.
template <class Body>
auto with_interpreter(const char* who, const Body& body) {
  const nanobind::gil_scoped_acquire lock;
  try {
    return body();
  } catch (const nanobind::python_error& exception) {
    throw_as_error(exception);
  } catch (const nanobind::cast_error&) {
    throw Error(fmt::format("{}: expected a value of another type from Python", who));
  }
}

/// A Python object that the engine holds: it may be let go of on any thread, without the interpreter's lock.
class PythonObject {
 public:
  explicit PythonObject(nanobind::object object) : object_(std::move(object)) {}
  ~PythonObject() {
    const nanobind::gil_scoped_acquire lock;
    object_.reset();
  }
  PythonObject(const PythonObject&) = delete;
  PythonObject& operator=(const PythonObject&) = delete;

  nanobind::handle get() const { return object_; }

 private:
  nanobind::object object_;
};

}  // namespace paretofl::python
