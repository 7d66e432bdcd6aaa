#include "python/bindings/python_carrier.h"

#include "paretofl/runtimes/flower.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interpreter.h"

namespace paretofl::python {
namespace {

constexpr const char* kCarrier = "runtime flower";

std::span<const std::byte> bytes_of(const nb::bytes& bytes) { return {static_cast<const std::byte*>(bytes.data()), bytes.size()}; }

void carry_by_python(nb::handle carrier, PartyExchange& exchange) {
  std::vector<bool> told(exchange.size());
  with_interpreter(kCarrier, [&] {
    nb::list requests;
    for (std::size_t i = 0; i < exchange.size(); ++i) {
      const std::vector<std::byte> request = exchange.request(i);
      requests.append(nb::make_tuple(exchange.client(i), nb::bytes(request.data(), request.size())));
    }
    for (const nb::handle item : nb::iter(carrier(requests, exchange.deadline().value().count()))) {
      const auto [position, reply] = nb::cast<std::pair<std::size_t, nb::object>>(item);
      expect(position < told.size() && !told[position],
             "{}: expected each of {} requests to be answered once, found position {} again or beyond", kCarrier, told.size(), position);
      told[position] = true;
      if (nb::isinstance<nb::bytes>(reply)) {
        const auto bytes = nb::borrow<nb::bytes>(reply);
        const nb::gil_scoped_release unlocked;  // sums may be made of it
        exchange.answered(position, bytes_of(bytes));
      } else {
        exchange.failed(position, nb::cast<std::string>(reply));
      }
      if (exchange.over()) break;
    }
  });
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!told[i] && !exchange.over()) exchange.failed(i, "did not answer");
  }
}

}  // namespace

PythonCarrier::PythonCarrier(nb::handle carrier) : is_set_(!carrier.is_none()) {
  if (!is_set_) return;
  set_carrier([carrier](PartyExchange& exchange) { carry_by_python(carrier, exchange); });
}

PythonCarrier::~PythonCarrier() {
  if (is_set_) set_carrier({});
}

}  // namespace paretofl::python
