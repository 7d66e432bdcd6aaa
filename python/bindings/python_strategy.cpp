#include "python/bindings/python_strategy.h"

#include "paretofl/local/jacobian.h"
#include "paretofl/rounds/weighted_training.h"
#include "python/bindings/bindings.h"
#include "python/bindings/python_object.h"
#include "python/bindings/python_round.h"

namespace paretofl::python {
namespace {

constexpr const char* kState = "python";

Metrics metrics_of(const nb::dict& figures) {
  Metrics metrics;
  for (const auto& [name, value] : figures) {
    if (PyFloat_Check(value.ptr()) != 0) {
      metrics.set(nb::cast<std::string>(name), nb::cast<double>(value));
    } else {
      metrics.set(nb::cast<std::string>(name), nb::cast<std::vector<double>>(value));
    }
  }
  return metrics;
}

/// A round that Python code may keep for longer than it lasts.
class ShownRound {
 public:
  explicit ShownRound(PythonRound round) : object_(nb::cast(std::move(round))) {}
  ~ShownRound() { nb::cast<PythonRound&>(object_).end(); }
  ShownRound(const ShownRound&) = delete;
  ShownRound& operator=(const ShownRound&) = delete;

  const nb::object& object() const { return object_; }

 private:
  nb::object object_;
};

class PythonServer : public ServerHalf {
 public:
  PythonServer(std::string name, nb::object part, const Workload& workload, std::int64_t cohort_size)
      : name_(std::move(name)), part_(std::move(part)), workload_(workload), cohort_size_(cohort_size) {
    save_state();  // what cannot be saved is an error now, and not at the first checkpoint
  }

  Metrics run_round(Round& round, Parameters& global) override {
    return with_interpreter(name_.c_str(), [&] {
      const ShownRound shown(PythonRound(round, workload_, cohort_size_));
      try {
        const nb::tuple result(part_.get().attr("_run_round")(shown.object(), copied_to_numpy(std::as_const(global).values())));
        const auto theta = nb::cast<nb::ndarray<const float, nb::ndim<1>, nb::c_contig>>(result[0]);
        Metrics metrics = metrics_of(nb::cast<nb::dict>(result[1]));
        std::copy_n(theta.data(), theta.size(), global.values().begin());
        return metrics;
      } catch (const nb::python_error& exception) {
        if (!exception.matches(nb::module_::import_("paretofl._engine").attr("RoundAbandoned"))) throw;
        throw RoundAbandoned(spelt_out(nb::str(exception.value())));
      }
    });
  }

  void save(Record& state) const override { state.records.insert_or_assign(kState, save_state()); }

  void load(const Record& state) override {
    const Record& own = state.record(kState);
    with_interpreter(name_.c_str(), [&] { part_.get().attr("_load_state")(dict_of(own)); });
  }

 private:
  Record save_state() const {
    return with_interpreter(name_.c_str(), [&] { return record_of(nb::cast<nb::dict>(part_.get().attr("_save_state")())); });
  }

  std::string name_;
  PythonObject part_;
  const Workload& workload_;
  std::int64_t cohort_size_;
};

class PythonStrategyClient : public ClientHalf {
 public:
  PythonStrategyClient(const LocalTrainingOptions& options, const Workload& workload, int client)
      : options_(options), workload_(workload), client_(client) {}

  Reply handle(const Request& request, StreamId stream) override {
    const auto oracle = workload_.oracle(client_);
    if (request.verb == "train") return train_client(options_, *oracle, workload_.objective_factors(client_), request, stream);
    expect(request.verb == "jacobian", "client: expected train or jacobian, found '{}'", request.verb);
    SampledJacobian sampled = sample_jacobian(*oracle, request.theta(oracle->layout()->size()), true, Random(stream, "jacobian"));
    Reply reply;
    reply.num_samples = oracle->num_samples();
    reply.update = std::move(sampled.rows);
    reply.losses = std::move(sampled.losses);
    return reply;
  }

 private:
  LocalTrainingOptions options_;
  const Workload& workload_;
  int client_;
};

}  // namespace

void PythonStrategyOptions::describe(OptionVisitor& visit) {
  visit.integer("cohort_size", cohort_size, 1, kMaxInt, "clients per round");
  local.describe(visit);
  own.describe(visit);
}

Strategy make_python_strategy(std::string name, const PythonStrategyOptions& options, nb::object part, const Workload& workload) {
  check_gradients(name.c_str(), workload);
  check_cohort_size(options.cohort_size, workload);
  return {
      .server = std::make_unique<PythonServer>(std::move(name), std::move(part), workload, options.cohort_size),
      .client = [local = options.local, &workload](int client) { return std::make_unique<PythonStrategyClient>(local, workload, client); }};
}

}  // namespace paretofl::python
