#include "python/bindings/python_workload.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/local/minibatch.h"
#include "paretofl/local/partial_oracle.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interpreter.h"

namespace paretofl::python {
namespace {

/// A NumPy array over memory of the engine, for the length of one call.
template <class T>
nb::object view(std::span<T> values, std::vector<std::size_t> shape) {
  using Value = std::remove_const_t<T>;
  // The owner is nobody, which NumPy takes as: don't copy, don't free.
  return nb::cast(nb::ndarray<nb::numpy, Value>(const_cast<Value*>(values.data()), shape.size(), shape.data(), nb::none()),
                  nb::rv_policy::reference);
}

template <class T>
nb::object view(std::span<T> values) {
  return view(values, {values.size()});
}

/// A view that somebody still holds would show memory that is used for something else by then.
void expect_dropped(const nb::object& array, const char* name) {
  expect(Py_REFCNT(array.ptr()) == 1, "problem: expected that nothing keeps {} after the call, found a reference; keep a copy, {}.copy()",
         name, name);
}

class PythonOracle : public GradientOracle {
 public:
  PythonOracle(const PythonWorkload& workload, int client) : workload_(workload), client_(client) {}

  double num_samples() const override { return workload_.num_samples(client_); }
  std::size_t num_objectives() const override { return workload_.num_objectives(); }
  const std::shared_ptr<const Layout>& layout() const override { return workload_.layout(); }
  bool takes_single_samples() const override { return workload_.single_samples(); }

  void jacobian(std::span<const float> theta, const Draw& draw, std::span<double> losses, std::span<float> jacobian) const override {
    call("_jacobian", theta, draw, [&](const auto& method, const nb::object& parameters, const nb::object& drawn) {
      const nb::object loss_view = view(losses);
      const nb::object rows = view(jacobian, {losses.size(), theta.size()});
      method(client_, parameters, drawn, loss_view, rows);
      expect_dropped(loss_view, "losses");
      expect_dropped(rows, "jacobian");
    });
  }

  void weighted_gradient(std::span<const float> theta, std::span<const double> objective_weights, const Draw& draw,
                         std::span<double> losses, std::span<float> gradient) const override {
    call("_weighted_gradient", theta, draw, [&](const auto& method, const nb::object& parameters, const nb::object& drawn) {
      const nb::object loss_view = view(losses);
      const nb::object gradient_view = view(gradient);
      method(client_, parameters, copied_to_numpy(objective_weights), drawn, loss_view, gradient_view);
      expect_dropped(loss_view, "losses");
      expect_dropped(gradient_view, "gradient");
    });
  }

  double objective_gradient(std::span<const float> theta, std::size_t objective, const Draw& draw,
                            std::span<float> gradient) const override {
    double loss = 0;
    call("_objective_gradient", theta, draw, [&](const auto& method, const nb::object& parameters, const nb::object& drawn) {
      const nb::object gradient_view = view(gradient);
      loss = nb::cast<double>(method(client_, parameters, objective, drawn, gradient_view));
      expect_dropped(gradient_view, "gradient");
    });
    return loss;
  }

 private:
  template <class Body>
  void call(const char* name, std::span<const float> theta, const Draw& draw, const Body& body) const {
    with_interpreter("problem", [&] {
      const nb::object parameters = view(theta);
      body(workload_.problem().attr(name), parameters, nb::cast(draw));
      expect_dropped(parameters, "theta");
    });
  }

  const PythonWorkload& workload_;
  int client_;
};

std::vector<Slice> slices_of(nb::handle list) {
  std::vector<Slice> slices;
  for (const nb::handle item : list) {
    slices.push_back({nb::cast<std::string>(item[0]), nb::cast<std::vector<std::int64_t>>(item[1]), nb::cast<int>(item[2]), {}});
  }
  return slices;
}

/// The part of a problem that names the clients whose data this process has.
std::optional<ProblemPart> part_of(nb::handle problem) {
  const nb::object own = problem.attr("_description")().attr("own");
  if (own.is_none()) return {};
  ProblemPart part;
  if (nb::len(own) > 0) part.client = nb::cast<int>(own[0]);
  return part;
}

}  // namespace

PythonWorkload::PythonWorkload(nb::handle problem) : Workload(part_of(problem)), problem_(problem) {
  // The problem has checked all of this (Problem._description).
  const nb::object description = problem.attr("_description")();
  num_clients_ = nb::cast<int>(description.attr("num_clients"));
  objectives_ = nb::cast<std::vector<std::string>>(description.attr("objectives"));
  layout_ = std::make_shared<const Layout>(slices_of(description.attr("slices")));
  num_samples_ = nb::cast<std::vector<double>>(description.attr("num_samples"));
  for (const auto& weights : nb::cast<std::vector<std::vector<double>>>(description.attr("preferences"))) {
    preferences_.emplace_back(weights, objectives_.size());
  }
  const auto has = nb::cast<std::vector<std::vector<bool>>>(description.attr("has_objective"));
  if (std::any_of(has.begin(), has.end(), [](const auto& row) { return std::find(row.begin(), row.end(), false) != row.end(); })) {
    factors_ = paretofl::objective_factors(has);
  }
  single_samples_ = nb::cast<bool>(description.attr("single_samples"));
  has_test_ = nb::cast<bool>(description.attr("has_test"));
  has_validation_ = nb::cast<bool>(description.attr("has_validation"));
  has_held_out_ = nb::cast<bool>(description.attr("has_held_out"));
}

Parameters PythonWorkload::initial_parameters() const {
  return with_interpreter("problem", [&] {
    const nb::object theta = problem_.attr("_initial")();
    const auto values = nb::cast<nb::ndarray<const float, nb::ndim<1>, nb::c_contig>>(theta);
    return Parameters(layout_, {values.data(), values.data() + values.size()});
  });
}

Texts PythonWorkload::code() const {
  return with_interpreter("problem", [&] { return nb::cast<Texts>(problem_.attr("_code")()); });
}

std::unique_ptr<GradientOracle> PythonWorkload::oracle(int client) const {
  expect_client(client);
  auto oracle = std::make_unique<PythonOracle>(*this, client);
  if (factors_.empty()) return oracle;
  return std::make_unique<PartialOracle>(std::move(oracle), factors_[static_cast<std::size_t>(client)]);
}

Preference PythonWorkload::preference(int client) const {
  return preferences_.at(static_cast<std::size_t>(client)).over_held(objective_factors(client));
}

bool PythonWorkload::has_split(Split split) const { return split == Split::kTest ? has_test_ : has_validation_; }

Evaluation PythonWorkload::evaluate(std::span<const float> theta, Split split, ThreadPool&) const {
  return evaluation(theta, split, std::nullopt);
}

Evaluation PythonWorkload::evaluate_client(int client, std::span<const float> theta, Split split, ThreadPool&) const {
  return evaluation(theta, split, client);
}

HeldOutFigures PythonWorkload::evaluate_held_out(int client, std::span<const float> theta, ThreadPool&) const {
  expect_client(client);
  if (!has_held_out_) return {};
  return with_interpreter("problem", [&] {
    const nb::object parameters = view(theta);
    const nb::tuple found(problem_.attr("_held_out_evaluation")(parameters, client));
    expect_dropped(parameters, "theta");
    HeldOutFigures figures;
    const auto samples = nb::cast<double>(found[1]);
    for (const auto& [metric, means] : nb::cast<std::map<std::string, std::vector<double>>>(found[0])) {
      figures.add_means(metric, means, samples);
    }
    return figures;
  });
}

Evaluation PythonWorkload::evaluation(std::span<const float> theta, Split split, std::optional<int> client) const {
  return with_interpreter("problem", [&] {
    const nb::object parameters = view(theta);
    const nb::tuple figures(problem_.attr("_evaluation")(parameters, split == Split::kTest ? "test" : "validation", client));
    expect_dropped(parameters, "theta");
    Evaluation evaluation;
    evaluation.per_objective = nb::cast<std::map<std::string, std::vector<double>>>(figures[0]);
    evaluation.overall = nb::cast<std::map<std::string, double>>(figures[1]);
    return evaluation;
  });
}

namespace {

/// Two words of a stream for this purpose and step.
std::uint64_t seed_of(const Draw& draw) {
  Random stream = draw.stream.substream("python", static_cast<std::uint64_t>(draw.step));
  const std::uint64_t high = stream();
  return high << 32U | stream();
}

/// An integer of Python's or NumPy's from 1 to 2^32 - 1.
std::size_t count_of(const char* name, const nb::object& value) {
  std::int64_t count = 0;
  expect(PyIndex_Check(value.ptr()) != 0 && nb::try_cast(nb::int_(value), count) && count >= 1 &&
             count <= std::numeric_limits<std::uint32_t>::max(),
         "minibatch: expected {} of 1 to 2^32 - 1, found {}", name, nb::cast<std::string>(nb::repr(value)));
  return static_cast<std::size_t>(count);
}

NumpyArray<std::int64_t> minibatch_of(const Draw& draw, const nb::object& sample_count, const nb::object& size) {
  const std::size_t num_samples = count_of("num_samples", sample_count);
  const std::size_t batch_size = count_of("batch_size", size);
  std::vector<std::uint32_t> samples(num_samples);
  std::iota(samples.begin(), samples.end(), 0U);
  const std::vector<std::uint32_t> drawn = minibatch(samples, std::min(batch_size, num_samples), draw);
  const std::vector<std::int64_t> indices(drawn.begin(), drawn.end());
  return copied_to_numpy(std::span<const std::int64_t>(indices));
}

}  // namespace

void bind_problems(nb::module_& module) {
  nb::class_<Draw>(module, "Draw", "Names one minibatch. Equal draws give equal samples and equal random numbers. `gradients` gets one.")
      .def_ro("step", &Draw::step, "The number of the step in its pass over the data, from 0.")
      .def_prop_ro("seed", &seed_of, "A seed of 64 bits for random numbers of this step, such as dropout masks.")
      .def("minibatch", &minibatch_of, "num_samples"_a, "batch_size"_a,
           "The indices [batch_size], int64, of the samples of this step. Steps go through the samples in passes, each in an order of its "
           "own. The last incomplete minibatch of a pass is left out. If there are fewer than batch_size samples, all of them are used. "
           "With the settings privacy.example_*, of a problem with single_samples, the index of one sample. "
           "Error on numbers below 1.");
}

}  // namespace paretofl::python
