#include "paretofl/runtimes/mpi.h"

// The C interface alone: the C++ one has left the standard.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <list>
#include <mutex>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runtimes/listens_everywhere.h"
#include "paretofl/runtimes/sendable.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

constexpr int kLeader = 0;
constexpr int kTag = 1;
/// MPI counts bytes in an int, so a long message travels in pieces.
constexpr std::size_t kChunk = std::size_t{16} << 20;
/// In a header's place for the index: no more requests will come.
constexpr std::uint64_t kStop = ~std::uint64_t{0};

/// A message between the leader and a follower: a header of two numbers, then the bytes in chunks. Stays
/// where it is while MPI works on it.
struct Frame {
  std::array<std::uint64_t, 2> header{};  ///< index of the envelope in its exchange, number of bytes
  std::vector<std::byte> bytes;
  std::vector<MPI_Request> requests;

  std::uint64_t index() const { return header[0]; }

  void post_header_receive(int rank) { MPI_Irecv(header.data(), 2, MPI_UINT64_T, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back()); }
  void post_bytes_receive(int rank) {
    bytes.resize(header[1]);
    for (std::size_t at = 0; at < bytes.size(); at += kChunk) {
      MPI_Irecv(bytes.data() + at, chunk(at), MPI_BYTE, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
    }
  }
  void post_send(int rank) {
    MPI_Isend(header.data(), 2, MPI_UINT64_T, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
    for (std::size_t at = 0; at < bytes.size(); at += kChunk) {
      MPI_Isend(bytes.data() + at, chunk(at), MPI_BYTE, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
    }
  }
  /// Whether all that was posted has finished.
  bool done() {
    int flag = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
    if (flag) requests.clear();
    return flag;
  }

 private:
  int chunk(std::size_t at) const { return static_cast<int>(std::min(kChunk, bytes.size() - at)); }
};

/// Pauses between polls: short while an answer may be near, then long enough that a rank that waits leaves
/// its core to those that compute.
class Pause {
 public:
  void operator()() {
    if (++polls_ < 1000) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  void reset() { polls_ = 0; }

 private:
  int polls_ = 0;
};

/// This process's part in the MPI job, from the first mpi runtime to the end of the process: MPI can't be
/// started twice. Calls to MPI from several threads take turns on the mutex.
class Job {
 public:
  static Job& get() {
    static Job job;
    return job;
  }

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  std::mutex& mutex() { return mutex_; }

  /// Whether a runtime was made that the leader hasn't stopped yet.
  void set_open(bool open) { open_ = open; }

  /// As Runtime::expect_same; the leader's texts are those to agree with.
  void expect_same(const Texts& texts) {
    Record sent;
    sent.texts = texts;
    std::vector<std::byte> bytes = rank_ == kLeader ? encode(sent) : std::vector<std::byte>();
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, kLeader, MPI_COMM_WORLD);
    bytes.resize(size);
    for (std::size_t at = 0; at < size; at += kChunk) {
      MPI_Bcast(bytes.data() + at, static_cast<int>(std::min(kChunk, size - at)), MPI_BYTE, kLeader, MPI_COMM_WORLD);
    }
    const auto difference = first_difference(decode_state(bytes).texts, texts);
    const int differs = difference ? 1 : 0;
    int any_differs = 0;
    MPI_Allreduce(&differs, &any_differs, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (difference) {
      throw Error(fmt::format("runtime mpi: rank {}: expected {} {} as on rank {}, found {}", rank_, difference->name, difference->first,
                              kLeader, difference->second));
    }
    expect(any_differs == 0, "runtime mpi: expected the same settings on all ranks, found others");
  }

  void wait(Frame& frame) {
    for (Pause pause;; pause()) {
      const std::lock_guard lock(mutex_);
      if (frame.done()) return;
    }
  }

  [[noreturn]] void abort(std::string_view why) {
    warn("runtime mpi: rank {}: {}", rank_, why);
    const std::lock_guard lock(mutex_);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }

 private:
  Job() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    if (provided < MPI_THREAD_SERIALIZED) abort("expected an MPI for several threads, found one without");
  }

  ~Job() {
    // Finalizing waits for all ranks, so a rank that leaves early must not: main has said why it does.
    if (open_ && rank_ == kLeader) abort("the leader ended without stopping the others");
    if (open_) {
      Frame frame;
      frame.post_header_receive(kLeader);
      wait(frame);
      if (frame.index() != kStop) abort("ended before the leader did");
    }
    MPI_Finalize();
  }

  std::mutex mutex_;
  int rank_ = 0;
  int ranks_ = 0;
  bool open_ = false;
};

/// Sends envelopes to the followers and gathers their replies. Each follower has a few envelopes under way
/// at any time: enough to keep its threads busy, and memory does not grow with the number of clients.
class MpiLeader : public Runtime {
 public:
  explicit MpiLeader(std::size_t threads) : window_(threads + 1) { job_.set_open(true); }

  ~MpiLeader() override {
    for (int rank = 1; rank < job_.ranks(); ++rank) {
      Frame stop;
      stop.header = {kStop, 0};
      stop.post_send(rank);
      job_.wait(stop);
    }
    job_.set_open(false);
  }

  void expect_same(const Texts& texts) override { job_.expect_same(texts); }

  Exchange exchange(std::span<const Envelope> envelopes) override {
    Exchange exchange;
    exchange.replies.resize(envelopes.size());
    std::vector<Follower> followers(static_cast<std::size_t>(job_.ranks() - 1));
    for (std::size_t i = 0; i < followers.size(); ++i) followers[i].rank = static_cast<int>(i) + 1;
    for (std::size_t i = 0; i < envelopes.size(); ++i) {
      const int client = envelopes[i].client;
      expect(client >= 0, "runtime mpi: expected a client id of at least 0, found {}", client);
      followers[static_cast<std::size_t>(client) % followers.size()].envelopes.push_back(i);
      exchange.bytes_down += encoded_size(envelopes[i]);
    }
    try {
      Pause pause;
      while (std::any_of(followers.begin(), followers.end(), [](const Follower& follower) { return follower.busy(); })) {
        bool moved = false;
        for (Follower& follower : followers) moved = advance(follower, envelopes, exchange) || moved;
        moved ? pause.reset() : pause();
      }
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
    return exchange;
  }

 private:
  struct Follower {
    int rank = 0;
    std::vector<std::size_t> envelopes;  ///< which of the exchange's are for it
    std::size_t sent = 0;
    std::size_t answered = 0;
    std::list<Frame> sending;
    std::list<Frame> receiving;  ///< the next reply: none or one
    bool has_header = false;

    bool busy() const { return answered < envelopes.size() || !sending.empty(); }
  };

  /// Does what can be done for a follower without waiting; returns whether there was anything.
  bool advance(Follower& follower, std::span<const Envelope> envelopes, Exchange& exchange) {
    bool moved = std::erase_if(follower.sending, [](Frame& frame) { return frame.done(); }) > 0;
    if (follower.sent < follower.envelopes.size() && follower.sent - follower.answered < window_) {
      const std::size_t index = follower.envelopes[follower.sent++];
      Frame& frame = follower.sending.emplace_back();
      frame.bytes = encode(envelopes[index]);
      frame.header = {index, frame.bytes.size()};
      frame.post_send(follower.rank);
      moved = true;
    }
    if (follower.answered == follower.envelopes.size()) return moved;
    if (follower.receiving.empty()) {
      follower.receiving.emplace_back().post_header_receive(follower.rank);
      follower.has_header = false;
    }
    Frame& frame = follower.receiving.front();
    if (!frame.done()) return moved;
    if (!follower.has_header) {
      follower.has_header = true;
      frame.post_bytes_receive(follower.rank);
      return true;
    }
    accept(frame, envelopes, exchange);
    follower.receiving.clear();
    ++follower.answered;
    return true;
  }

  void accept(const Frame& frame, std::span<const Envelope> envelopes, Exchange& exchange) {
    Reply reply = decode_reply(frame.bytes);
    expect(frame.index() < envelopes.size() && reply.client == envelopes[frame.index()].client,
           "expected the reply to a request of this exchange, found one of client {} to request {}", reply.client, frame.index());
    if (!reply.error) exchange.bytes_up += frame.bytes.size();
    exchange.replies[frame.index()] = std::move(reply);
  }

  Job& job_ = Job::get();
  std::size_t window_;
};

/// Hosts clients and answers the leader's requests on all threads of its pool.
class MpiFollower : public Runtime {
 public:
  MpiFollower(ThreadPool& pool, ClientFactory factory, double dropout_rate) : pool_(pool), host_(std::move(factory), dropout_rate) {
    job_.set_open(true);
    // Ctrl-C and a terminal that goes away reach every rank, from mpirun as SIGTERM: the leader finishes its round, for which it needs
    // the others.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
  }

  Exchange exchange(std::span<const Envelope>) override {
    throw Error(fmt::format("runtime mpi: expected exchanges on rank 0 only, found one on rank {}", job_.rank()));
  }

  void expect_same(const Texts& texts) override { job_.expect_same(texts); }

  bool leads() const override { return false; }

  void follow() override {
    stopped_ = false;
    pool_.for_each(pool_.threads(), [this](std::size_t) { serve(); });
    job_.set_open(false);
  }

 private:
  void serve() {
    try {
      Frame frame;
      while (receive(frame)) {
        const Envelope envelope = decode_envelope(std::exchange(frame.bytes, {}));
        frame.bytes = encode(sendable(host_.handle(envelope)));
        frame.header[1] = frame.bytes.size();
        {
          const std::lock_guard lock(job_.mutex());
          frame.post_send(kLeader);
        }
        job_.wait(frame);
      }
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
  }

  /// The threads take turns to wait for the next request. Returns false once the leader stops.
  bool receive(Frame& frame) {
    const std::lock_guard turn(turn_);
    if (stopped_) return false;
    {
      const std::lock_guard lock(job_.mutex());
      frame.post_header_receive(kLeader);
    }
    job_.wait(frame);
    stopped_ = frame.index() == kStop;
    if (stopped_) return false;
    {
      const std::lock_guard lock(job_.mutex());
      frame.post_bytes_receive(kLeader);
    }
    job_.wait(frame);
    return true;
  }

  Job& job_ = Job::get();
  ThreadPool& pool_;
  ClientHost host_;
  std::mutex turn_;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<Runtime> make_mpi_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory) {
  const Job& job = Job::get();
  expect(job.ranks() >= 2, "runtime mpi: expected a job of at least 2 ranks, such as mpirun -np 2 paretofl ..., found {}", job.ranks());
  if (job.rank() == kLeader) {
    if (listens_everywhere()) {
      warn("runtime mpi: MPI listens on every network interface, and anyone who can connect can stop the run; docs/cli.md says what helps");
    }
    return std::make_unique<MpiLeader>(pool.threads());
  }
  return std::make_unique<MpiFollower>(pool, std::move(factory), options.dropout_rate);
}

}  // namespace paretofl
