#include "python/bindings/python_options.h"

#include <limits>

#include "paretofl/core/error.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

struct Visit {
  OptionVisitor& visit;
  const PythonOption& option;

  void operator()(bool& value) const { visit.boolean(option.key, value, option.meaning); }
  void operator()(std::int64_t& value) const {
    visit.integer(option.key, value, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), option.meaning);
  }
  void operator()(double& value) const { visit.real(option.key, value, -kInfinity, kInfinity, option.meaning); }
  void operator()(std::string& value) const { visit.text(option.key, value, option.meaning); }
  void operator()(std::vector<double>& value) const { visit.reals(option.key, value, -kInfinity, kInfinity, option.meaning); }
  void operator()(std::vector<std::string>&) const {
    throw Error(fmt::format("{}: expected a bool, int, float, str or a list of numbers as the default, found a list of str", option.key));
  }
};

}  // namespace

PythonOptions::PythonOptions(const nb::list& options) {
  for (const nb::handle item : options) {
    PythonOption option;
    option.key = nb::cast<std::string>(item[0]);
    option.kind = nb::cast<std::string>(item[2]);
    option.meaning = nb::cast<std::string>(item[3]);
    if (option.kind.empty()) {
      nb::dict one;
      one[item[0]] = item[1];
      const Settings settings = settings_of(one);
      const auto value = settings.values.find(option.key);
      expect(value != settings.values.end(), "{}: expected a bool, int, float, str or a list of numbers as the default, found a dict",
             option.key);
      option.value = value->second;
      // An empty list is one of numbers.
      if (const auto* texts = std::get_if<std::vector<std::string>>(&option.value); texts != nullptr && texts->empty()) {
        option.value = std::vector<double>();
      }
    } else {
      option.part = {nb::cast<std::string>(item[1][0]), settings_of(nb::cast<nb::dict>(item[1][1]))};
      registry_of(option.kind).entry(option.part.name);
    }
    options_.push_back(std::move(option));
  }
}

void PythonOptions::describe(OptionVisitor& visit) {
  for (PythonOption& option : options_) {
    if (option.kind.empty()) {
      std::visit(Visit{visit, option}, option.value);
    } else {
      visit.component(option.key, option.part, registry_of(option.kind), option.meaning);
    }
  }
}

nb::dict PythonOptions::arguments() const {
  nb::dict arguments;
  for (const PythonOption& option : options_) {
    if (option.kind.empty()) {
      arguments[option.key.c_str()] = std::visit([](const auto& held) { return nb::cast(held); }, option.value);
    } else {
      arguments[option.key.c_str()] = nb::make_tuple(option.part.name, dict_of(option.part.settings));
    }
  }
  return arguments;
}

}  // namespace paretofl::python
