#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

constexpr int kMaxDepth = 32;  // a dictionary may hold itself

std::string type_of(nb::handle value) { return nb::cast<std::string>(value.type().attr("__name__")); }

[[noreturn]] void refuse(const std::string& key, nb::handle value) {
  throw Error(fmt::format("config: expected a bool, int, float, str, a list of numbers or of str, or a dict for {}, found {}", key,
                          type_of(value)));
}

std::string text_of(const std::string& key, nb::handle value) {
  std::string text;
  expect(nb::try_cast(value, text), "config: expected a str of valid Unicode for {}, found lone surrogates", key);
  return text;
}

double number_of(const std::string& key, nb::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw Error(fmt::format("config: expected numbers of 64 bits for {}, found a larger one", key));
  }
  return number;
}

Settings::Value list_of(const std::string& key, nb::handle list) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const nb::handle item : list) {
    if (nb::isinstance<nb::str>(item)) {
      texts.push_back(text_of(key, item));
    } else if ((PyFloat_Check(item.ptr()) != 0 || PyLong_Check(item.ptr()) != 0) && PyBool_Check(item.ptr()) == 0) {
      numbers.push_back(number_of(key, item));
    } else {
      refuse(key, item);
    }
  }
  expect(numbers.empty() || texts.empty(), "config: expected a list of numbers or one of str for {}, found both in one list", key);
  if (!numbers.empty()) return numbers;
  return texts;
}

Settings::Value integer_of(const std::string& key, nb::handle value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  expect(overflow == 0, "config: expected an integer of 64 bits for {}, found a larger one", key);
  return static_cast<std::int64_t>(number);
}

Settings settings_of(const nb::dict& dictionary, int depth) {
  expect(depth < kMaxDepth, "config: expected dictionaries within each other to a depth of {}, found more", kMaxDepth);
  Settings settings;
  for (const auto& [name, value] : dictionary) {
    expect(nb::isinstance<nb::str>(name), "config: expected keys of type str, found {}", type_of(name));
    const std::string key = text_of("a key", name);
    if (PyBool_Check(value.ptr()) != 0) {
      settings.values[key] = nb::cast<bool>(value);
    } else if (PyLong_Check(value.ptr()) != 0) {
      settings.values[key] = integer_of(key, value);
    } else if (PyFloat_Check(value.ptr()) != 0) {
      settings.values[key] = nb::cast<double>(value);
    } else if (nb::isinstance<nb::str>(value)) {
      settings.values[key] = text_of(key, value);
    } else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
      settings.values[key] = list_of(key, value);
    } else if (nb::isinstance<nb::dict>(value)) {
      settings.tables[key] = settings_of(nb::cast<nb::dict>(value), depth + 1);
    } else {
      refuse(key, value);
    }
  }
  return settings;
}

}  // namespace

Settings settings_of(const nb::dict& dictionary) { return settings_of(dictionary, 0); }

nb::dict dict_of(const Settings& settings) {
  nb::dict result;
  for (const auto& [key, value] : settings.values) {
    result[key.c_str()] = std::visit([](const auto& held) { return nb::cast(held); }, value);
  }
  for (const auto& [key, table] : settings.tables) result[key.c_str()] = dict_of(table);
  return result;
}

}  // namespace paretofl::python
