// One MPI job that goes wrong in the way its argument says; mpi_test.cpp starts it and looks at how it ends.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/registry.h"

namespace {

using namespace paretofl;

/// Interrupts and terminates its own process before it answers, or does with it what the request says. The answer is the request's number
/// and the process's.
struct Interrupted : ClientHalf {
  Reply handle(const Request& request, StreamId) override {
    std::raise(SIGINT);
    std::raise(SIGTERM);
    if (request.verb == "stop") std::raise(SIGSTOP);
    if (request.verb == "kill") std::raise(SIGKILL);
    Reply reply;
    reply.extra = request.extra;
    reply.extra.scalars["process"] = ::getpid();
    return reply;
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

/// A request with a number, so large that MPI sends it only to who receives it.
Request numbered(const std::string& verb, int number) {
  Request request = Request(verb).with(std::vector<float>(1 << 20));
  request.extra.scalars["number"] = number;
  return request;
}

/// Stops the first client's process during an exchange with a deadline. Returns the process.
pid_t stop_first(Runtime& runtime) {
  const Exchange first = runtime.exchange(std::vector<Envelope>{{0, numbered("train", 0)}, {1, numbered("train", 0)}});
  const auto process = static_cast<pid_t>(first.replies[0].extra.scalar("process"));
  const std::vector<Envelope> envelopes{{0, numbered("stop", 1)}, {1, numbered("train", 1)}};
  const Exchange stopped = runtime.exchange(envelopes, {}, {.deadline = std::chrono::seconds(1)});
  fmt::print("client 0: {}\n", stopped.replies[0].error.value_or("answered"));
  return process;
}

/// While a rank is stopped its clients are late, and once it goes on, what it had to say is dropped.
void stops_and_goes_on(Runtime& runtime) {
  if (!runtime.leads()) return runtime.follow();
  const pid_t process = stop_first(runtime);
  int number = 2;
  for (; number < 8; ++number) {
    const std::vector<Envelope> envelopes{{0, numbered("train", number)}, {2, numbered("train", number)}, {1, numbered("train", number)}};
    const Exchange exchange = runtime.exchange(envelopes, {}, {.deadline = std::chrono::milliseconds(200)});
    for (std::size_t i : {0, 1}) expect(exchange.replies[i].lateness == Lateness::kDeadline, "client {} answered", 2 * i);
  }
  ::kill(process, SIGCONT);
  for (bool back = false; !back; ++number) {  // without end if it does not come back
    const std::vector<Envelope> envelopes{{0, numbered("train", number)}, {1, numbered("train", number)}};
    for (const Reply& reply : runtime.exchange(envelopes, {}, {.deadline = std::chrono::seconds(1)}).replies) {
      if (reply.error) continue;
      expect(reply.extra.scalar("number") == number, "expected the answer {}, found {}", number, reply.extra.scalar("number"));
      back = back || reply.client == 0;
    }
  }
  fmt::print("client 0: is back\n");
}

void stopped_at_the_end(Runtime& runtime) {
  if (!runtime.leads()) return runtime.follow();
  stop_first(runtime);
  const std::vector<Envelope> envelopes{{0, numbered("train", 2)}, {2, numbered("train", 2)}, {4, numbered("train", 2)}};
  runtime.exchange(envelopes, {}, {.deadline = std::chrono::seconds(1)});
  fmt::print("the results\n");
}

void stopped_at_the_start(Runtime& runtime) {
  if (!runtime.leads()) std::raise(SIGSTOP);
  runtime.expect_same({{"seed", "1"}});
}

void killed(Runtime& runtime) {
  if (!runtime.leads()) return runtime.follow();
  runtime.exchange(std::vector<Envelope>{{0, Request("kill")}, {1, Request("train")}});
  fmt::print("went on\n");
}

void other_version(Runtime& runtime) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  runtime.expect_same({{"engine.version", rank == 1 ? "0.1.0 (commit b)" : "0.1.0 (commit a)"}, {"seed", "1"}});
  lead_or_follow(runtime);
}

void all_throw(Runtime&) { throw Error("nobody finds the data"); }

const std::map<std::string, std::function<void(Runtime&)>> kJobs{
    {"stops_and_goes_on", stops_and_goes_on},
    {"stopped_at_the_end", stopped_at_the_end},
    {"stopped_at_the_start", stopped_at_the_start},
    {"killed", killed},
    {"other_version", other_version},
    {"interrupt", lead_or_follow},
    {"bad_request", bad_request},
    {"bad_reply", bad_reply},
    {"leader_throws", leader_throws},
    {"leader_exits", leader_exits},
    {"follower_throws", follower_throws},
    {"all_throw", all_throw},
    {"other_settings", other_settings},
};

}  // namespace

int main(int argc, char** argv) {
  try {
    ThreadPool pool(2);
    const std::string job = argc > 1 ? argv[1] : "";
    RuntimeOptions options;
    if (job.starts_with("stopped")) options = {.deadline_seconds = 1, .patience_seconds = 2};
    const auto runtime = runtimes().at("mpi").make(options, pool, [](int) { return std::make_unique<Interrupted>(); });
    kJobs.at(job)(*runtime);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
