#pragma once

#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// Options that all runtimes share. `threads` is for whoever makes the ThreadPool.
struct RuntimeOptions {
  std::int64_t threads = 2;
  double dropout_rate = 0;
  bool through_wire = false;
  double deadline_seconds = 0;
  double over_sample = 0;
  double simulated_seconds = 0;
  double simulated_spread = 0;
  double straggler_share = 0;
  double straggler_slowdown = 10;
  double patience_seconds = 300;
  double longest_seconds = 3600;
  std::string sockets = {};
  double reconnect_seconds = 10;

  void describe(OptionVisitor& visit) {
    visit.integer("threads", threads, 1, 256, "threads of each process that compute clients, one client on one thread at a time");
    visit.real("dropout_rate", dropout_rate, 0, 0.99, "chance that a client drops out of an exchange, to study partial participation");
    visit.boolean("through_wire", through_wire, "encode and decode every message, also within one process");
    visit.real("deadline_seconds", deadline_seconds, 0, kInfinity,
               "seconds after which an exchange ends and missing replies are late; 0: none");
    visit.real("over_sample", over_sample, 0, 100,
               "share of additional clients that are sampled; the round goes on with the first replies, as many as were asked for");
    visit.real("simulated_seconds", simulated_seconds, 0, 1e9,
               "simulated seconds that a client takes for an exchange; deadline_seconds and who is first then go by them; 0: off");
    visit.real("simulated_spread", simulated_spread, 0, 1,
               "how far the simulated seconds of an exchange are at most from their mean, as a share of it; drawn uniformly");
    visit.real("straggler_share", straggler_share, 0, 1, "share of the clients that are slower than the others, drawn from the seed");
    visit.real("straggler_slowdown", straggler_slowdown, 1, 1e6, "how many times longer the slower clients take");
    visit.real(
        "patience_seconds", patience_seconds, 0.1, 1e6,
        "seconds that processes wait for a silent one at the start and at the end of a run, and a server for its parties at the start");
    visit.real("longest_seconds", longest_seconds, 0.1, 1e9,
               "runtimes sockets and flower: seconds after which an exchange ends where deadline_seconds is 0");
    visit.text("sockets", sockets, "runtime sockets: path of each client's Unix socket, with {client} in the place of its number");
    visit.real(
        "reconnect_seconds", reconnect_seconds, 0, 1e9,
        "runtime sockets: how long a party's process may be gone, from when it was last reached, before its client counts as failed");
  }
};

}  // namespace paretofl
