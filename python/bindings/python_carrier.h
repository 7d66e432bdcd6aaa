#pragma once

#include <nanobind/nanobind.h>

namespace paretofl::python {

/// While it lives, the runtime "flower" carries by a Python object: carrier(requests, deadline), with requests a list of (client, bytes)
/// and a deadline in seconds or None, yields (position in the list, bytes of the reply, or a str that says why there is none) in any order.
/// Nothing is set where it is None.
class PythonCarrier {
 public:
  explicit PythonCarrier(nanobind::handle carrier);
  ~PythonCarrier();
  PythonCarrier(const PythonCarrier&) = delete;
  PythonCarrier& operator=(const PythonCarrier&) = delete;

 private:
  bool is_set_;  ///< otherwise another's, of a run in another thread, stays
};

}  // namespace paretofl::python
