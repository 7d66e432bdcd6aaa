#pragma once

#include <optional>
#include <utility>

#include "python/bindings/bindings.h"

namespace paretofl::python {

/// Tells Python of what goes on without the interpreter's lock. The first exception that Python raises is kept, and raised again by
/// finish().
class PythonObserver {
 public:
  /// Calls the body with the interpreter's lock.
  template <class Body>
  void call(const Body& body) {
    const nb::gil_scoped_acquire lock;
    try {
      body();
    } catch (nb::python_error& exception) {
      if (!raised_) raised_.emplace(std::move(exception));
    }
  }

  /// The same, unless Python has raised before.
  template <class Body>
  void call_unless_raised(const Body& body) {
    if (!raised_) call(body);
  }

  bool raised() const { return raised_.has_value(); }

  void finish() {
    if (raised_) throw std::move(*raised_);
  }

 private:
  std::optional<nb::python_error> raised_;
};

}  // namespace paretofl::python
