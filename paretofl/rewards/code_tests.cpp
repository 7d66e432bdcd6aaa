#include "paretofl/rewards/code_tests.h"

#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/text/json_object.h"

namespace paretofl {
namespace {

std::vector<std::string> texts(const JsonObject& object, std::string_view key) {
  std::vector<std::string> list;
  for (const nlohmann::json& item : object.list(key)) {
    expect(item.is_string(), "{}: expected texts in '{}', found {}", object.where(), key, item.type_name());
    list.push_back(item.get<std::string>());
  }
  expect(!list.empty(), "{}: expected texts in '{}', found none", object.where(), key);
  return list;
}

/// As kTestRunner reads them.
std::string as_words(const std::vector<std::string>& list) {
  std::string words = fmt::format("{}", list.size());
  for (const std::string& text : list) {
    words += ' ';
    for (const char c : text) words += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return words;
}

}  // namespace

CodeTests parse_code_tests(std::string_view reference, std::string_view name) {
  const nlohmann::json json = parse_json(std::string(reference), std::string(name));
  const JsonObject object(json, std::string(name));
  if (!object.has("check")) {
    CodeTests tests{.beginning = "", .names = texts(object, "names"), .tests = texts(object, "tests")};
    const std::string setup = object.text("setup", "");
    if (!setup.empty()) {
      for (std::string& test : tests.tests) test = setup + "\n" + test;
    }
    return tests;
  }
  const std::string prompt = object.text("prompt");
  const std::string entry = object.text("entry_point");
  return {.beginning = prompt + "\n",
          .names = {entry},
          .tests = {fmt::format("{}\ndel {}\n{}\ncheck({})\n", prompt, entry, object.text("check"), entry)}};
}

std::string test_input(const CodeTests& tests, std::string_view code) {
  return fmt::format("{}\n{}{}{} {}", tests.beginning.size() + code.size(), tests.beginning, code, as_words(tests.names),
                     as_words(tests.tests));
}

}  // namespace paretofl
