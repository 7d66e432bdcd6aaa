#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl::python {

/// An option of a part in Python: a keyword argument of its constructor. Its default says its type; of one that is itself a part,
/// `kind` does, and the default is in `part`.
struct PythonOption {
  std::string key;
  Settings::Value value;
  std::string kind;
  Component part;
  std::string meaning;
};

/// The options of a part in Python: the defaults at first, and what a config says once a visitor has read them.
class PythonOptions {
 public:
  PythonOptions() = default;
  /// From a list of tuples (key, default, kind, meaning), where kind is empty or the default is a pair (name, options). The caller holds
  /// the interpreter's lock. Throws Error on a default of another type than a config can hold.
  explicit PythonOptions(const nanobind::list& options);

  void describe(OptionVisitor& visit);
  /// As keyword arguments; a part as a pair (name, options). The caller holds the interpreter's lock.
  nanobind::dict arguments() const;

 private:
  std::vector<PythonOption> options_;
};

}  // namespace paretofl::python
