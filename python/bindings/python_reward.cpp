#include "python/bindings/python_reward.h"

#include <cmath>

#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

nb::list texts_of(std::span<const Answer> answers, std::string Answer::*field) {
  nb::list texts;
  for (const Answer& answer : answers) texts.append(text_to_python(answer.*field));
  return texts;
}

/// The scores [n] by any registered reward.
NumpyArray<double> scores(const std::string& name, const nb::dict& options, const std::vector<std::string>& prompts,
                          const std::vector<std::string>& completions, const std::vector<std::string>& references) {
  const Component component{name, settings_of(options)};
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < completions.size(); ++i) answers.push_back({prompts.at(i), completions[i], references.at(i)});
  std::vector<double> found;
  {
    const nb::gil_scoped_release unlocked;
    found = make_reward(component)->scores(answers);
  }
  return copied_to_numpy(std::span<const double>(found));
}

}  // namespace

std::vector<double> PythonReward::scores(std::span<const Answer> answers) const {
  if (answers.empty()) return {};
  auto found = with_interpreter(name_.c_str(), [&] {
    const nb::object result = reward_.get().attr("_scores")(name_, texts_of(answers, &Answer::prompt),
                                                            texts_of(answers, &Answer::completion), texts_of(answers, &Answer::reference));
    const auto array = nb::cast<Doubles>(result);
    return std::vector<double>(array.data(), array.data() + array.size());
  });
  expect(found.size() == answers.size(), "reward {}: expected {} scores, one per completion, found {}", name_, answers.size(),
         found.size());
  for (const double score : found) expect(std::isfinite(score), "reward {}: expected finite scores, found {}", name_, score);
  return found;
}

nb::object text_to_python(std::string_view text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal(decoded);
}

void bind_rewards(nb::module_& module) {
  module.def("scores", &scores, "name"_a, "options"_a, "prompts"_a, "completions"_a, "references"_a);
}

}  // namespace paretofl::python
