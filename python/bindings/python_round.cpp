#include "python/bindings/python_round.h"

#include <algorithm>

#include "python/bindings/bindings.h"
#include "python/bindings/python_workload.h"

namespace paretofl::python {
namespace {

std::vector<float> floats_of(const FloatMatrix& matrix, std::size_t row) {
  const float* begin = matrix.data() + row * matrix.shape(1);
  return {begin, begin + matrix.shape(1)};
}

std::vector<double> doubles_of(const DoubleMatrix& matrix, std::size_t row) {
  const double* begin = matrix.data() + row * matrix.shape(1);
  return {begin, begin + matrix.shape(1)};
}

/// One request for each client; where all get the same theta, they share it.
std::vector<Envelope> requests(const std::string& verb, const std::vector<int>& clients, const FloatMatrix& theta,
                               const DoubleMatrix& weights) {
  std::vector<Envelope> envelopes;
  const bool own_theta = theta.shape(0) > 1;
  const auto shared = std::make_shared<const std::vector<float>>(floats_of(theta, 0));
  for (std::size_t i = 0; i < clients.size(); ++i) {
    Request request(verb);
    request.parameters = own_theta ? std::make_shared<const std::vector<float>>(floats_of(theta, i)) : shared;
    if (weights.shape(0) > 0) request.objective_weights = doubles_of(weights, weights.shape(0) > 1 ? i : 0);
    envelopes.push_back({clients[i], std::move(request)});
  }
  return envelopes;
}

template <class T>
nb::object rows_to_numpy(const std::vector<std::vector<T>>& rows) {
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  std::vector<T> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return copied_to_numpy(std::span<const T>(values), {rows.size(), width});
}

nb::tuple to_python(const Replies& replies) {
  std::vector<int> clients;
  std::vector<double> num_samples;
  std::vector<std::vector<double>> losses;
  std::vector<std::vector<float>> updates;
  for (const Reply& reply : replies) {
    clients.push_back(reply.client);
    num_samples.push_back(reply.num_samples);
    losses.push_back(reply.losses);
    updates.push_back(reply.update);
  }
  return nb::make_tuple(clients, copied_to_numpy(std::span<const double>(num_samples)), rows_to_numpy(losses), rows_to_numpy(updates));
}

}  // namespace

Round& PythonRound::alive() const {
  expect(round_ != nullptr, "round: expected it to be used before run_round returns, found a use after that");
  return *round_;
}

std::vector<std::string> PythonRound::objectives() const {
  alive();
  return workload_->objective_names();
}

nb::list PythonRound::slices() const {
  alive();
  nb::list slices;
  for (const Slice& slice : workload_->layout()->slices()) slices.append(nb::make_tuple(slice.name, slice.shape, slice.head));
  return slices;
}

std::size_t PythonRound::num_shared() const {
  alive();
  return workload_->layout()->shared().size();
}

nb::object PythonRound::objective_factors() const {
  const std::vector<double> ones(workload_->num_objectives(), 1.0);
  std::vector<std::vector<double>> factors(static_cast<std::size_t>(num_clients()), ones);
  // Of all workloads, only problems in Python may have clients with some of the objectives.
  const auto* problem = dynamic_cast<const PythonWorkload*>(workload_);
  return rows_to_numpy(problem == nullptr || problem->factors().empty() ? factors : problem->factors());
}

std::vector<int> PythonRound::sample_clients(std::int64_t count) {
  expect(count >= 1, "sample_clients: expected at least 1 client, found {}", count);
  Cohort cohort = alive().sample_clients(static_cast<std::size_t>(count));
  sampled_ = cohort.sampled;
  drawn_ = cohort.size();
  return std::move(cohort.clients);
}

std::uint64_t PythonRound::seed(const std::string& purpose) const {
  Random stream = alive().random("python: " + purpose);
  const std::uint64_t high = stream();
  return high << 32U | stream();
}

nb::tuple PythonRound::exchange(const std::string& verb, const std::vector<int>& clients, nb::handle theta, nb::handle weights) {
  Round& round = alive();
  std::vector<Envelope> envelopes = requests(verb, clients, nb::cast<FloatMatrix>(theta), nb::cast<DoubleMatrix>(weights));
  const bool same = std::all_of(envelopes.begin(), envelopes.end(),
                                [&](const Envelope& envelope) { return envelope.request == envelopes.front().request; });
  Replies replies;
  {
    const nb::gil_scoped_release unlocked;
    // A cohort that was drawn counts as drawn: those who failed in an exchange before have failed in this one too, and of additional
    // clients the first replies are enough.
    replies = same ? round.broadcast({clients, clients.size() <= drawn_ ? sampled_ : clients.size()}, envelopes.front().request)
                   : round.exchange(std::move(envelopes));
  }
  return to_python(replies);
}

void bind_rounds(nb::module_& module) {
  nb::class_<PythonRound>(module, "EngineRound")
      .def_prop_ro("number", &PythonRound::number)
      .def_prop_ro("cohort_size", &PythonRound::cohort_size)
      .def_prop_ro("num_clients", &PythonRound::num_clients)
      .def_prop_ro("objectives", &PythonRound::objectives)
      .def_prop_ro("slices", &PythonRound::slices)
      .def_prop_ro("num_shared", &PythonRound::num_shared)
      .def_prop_ro("objective_factors", &PythonRound::objective_factors)
      .def("sample_clients", &PythonRound::sample_clients, "count"_a)
      .def("seed", &PythonRound::seed, "purpose"_a)
      .def("exchange", &PythonRound::exchange, "verb"_a, "clients"_a, "theta"_a, "weights"_a);
}

}  // namespace paretofl::python
