// One MPI job that goes wrong in the way its argument says; mpi_test.cpp starts it and looks at how it ends.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/registry.h"

namespace {

using namespace paretofl;

/// Interrupts and terminates its own process before it answers.
struct Interrupted : ClientHalf {
  Reply handle(const Request&, StreamId) override {
    std::raise(SIGINT);
    std::raise(SIGTERM);
    return {};
  }
};

/// What the runtime itself would send as its first message: a header, then that many bytes.
void send_garbage(int rank) {
  std::uint64_t header[3] = {1, 0, 30};
  char bytes[30] = "not a message at all";
  MPI_Send(header, 3, MPI_UINT64_T, rank, 1, MPI_COMM_WORLD);
  MPI_Send(bytes, 30, MPI_BYTE, rank, 1, MPI_COMM_WORLD);
}

void lead_or_follow(Runtime& runtime) {
  if (!runtime.leads()) return runtime.follow();
  const std::vector<Envelope> envelopes{{0, Request("train")}, {1, Request("train")}};
  for (const Reply& reply : runtime.exchange(envelopes).replies)
    fmt::print("client {}: {}\n", reply.client, reply.error.value_or("answered"));
}

void bad_request(Runtime& runtime) {
  if (runtime.leads()) send_garbage(1);
  lead_or_follow(runtime);
}

void bad_reply(Runtime& runtime) {
  if (!runtime.leads()) send_garbage(0);
  lead_or_follow(runtime);
}

void leader_throws(Runtime& runtime) {
  lead_or_follow(runtime);
  if (runtime.leads()) throw Error("the leader has enough");
}

void leader_exits(Runtime& runtime) {
  if (runtime.leads()) std::exit(3);
  runtime.follow();
}

void follower_throws(Runtime& runtime) {
  if (!runtime.leads()) throw Error("the follower finds no data");
  lead_or_follow(runtime);
}

void other_settings(Runtime& runtime) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  runtime.expect_same({{"seed", "1"}, {"strategy.client_lr", rank == 2 ? "0.1" : "0.05"}});
  lead_or_follow(runtime);
}

void all_throw(Runtime&) { throw Error("nobody finds the data"); }

const std::map<std::string, std::function<void(Runtime&)>> kJobs{
    {"interrupt", lead_or_follow},  {"bad_request", bad_request},         {"bad_reply", bad_reply}, {"leader_throws", leader_throws},
    {"leader_exits", leader_exits}, {"follower_throws", follower_throws}, {"all_throw", all_throw}, {"other_settings", other_settings},
};

}  // namespace

int main(int argc, char** argv) {
  try {
    ThreadPool pool(2);
    const auto runtime = runtimes().at("mpi").make({}, pool, [](int) { return std::make_unique<Interrupted>(); });
    kJobs.at(argc > 1 ? argv[1] : "")(*runtime);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
