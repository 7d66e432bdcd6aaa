#include "paretofl/questions/question_set.h"
#include "python/bindings/bindings.h"

namespace paretofl::python {
namespace {

nb::list to_python(const std::vector<Question>& questions) {
  nb::list list;
  for (const Question& question : questions) {
    list.append(nb::make_tuple(text_to_python(question.prompt), text_to_python(question.reference), text_to_python(question.solution)));
  }
  return list;
}

/// (training, validation, test) of any registered set, lists of (prompt, reference, solution).
nb::tuple questions(const std::string& name, const nb::dict& options, std::uint64_t seed, const std::filesystem::path& data_root) {
  const Settings settings = settings_of(options);
  QuestionSet set;
  {
    const nb::gil_scoped_release unlocked;
    set = question_sets().at(name).make(settings, {.seed = seed, .data_root = data_root});
  }
  return nb::make_tuple(to_python(set.training), to_python(set.validation), to_python(set.test));
}

}  // namespace

void bind_questions(nb::module_& module) { module.def("questions", &questions, "name"_a, "options"_a, "seed"_a, "data_root"_a); }

}  // namespace paretofl::python
