#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "python/bindings/interpreter.h"

namespace paretofl::python {

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
