#pragma once

#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Options that all runtimes share. `threads` is for whoever makes the ThreadPool.
struct RuntimeOptions {
  std::int64_t threads = 2;
  double dropout_rate = 0;
  bool through_wire = false;
  std::string sockets = {};
  double patience_seconds = 10;

  void describe(OptionVisitor& visit) {
    visit.integer("threads", threads, 1, 256, "threads of each process that compute clients, one client on one thread at a time");
    visit.real("dropout_rate", dropout_rate, 0, 0.99, "chance that a client drops out of an exchange, to study partial participation");
    visit.boolean("through_wire", through_wire, "encode and decode every message, also within one process");
    visit.text("sockets", sockets, "runtime sockets: path of each client's Unix socket, with {client} in the place of its number");
    visit.real(
        "patience_seconds", patience_seconds, 0, 1e9,
        "runtime sockets: how long a party's process may be gone, from when it was last reached, before its client counts as failed");
  }
};

}  // namespace paretofl
