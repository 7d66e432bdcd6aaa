#include "paretofl/runtimes/mpi.h"

#include <algorithm>
#include <csignal>
#include <list>
#include <mutex>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runtimes/listens_everywhere.h"
#include "paretofl/runtimes/mpi_job.h"
#include "paretofl/runtimes/poll_pause.h"
#include "paretofl/runtimes/replies_in_order.h"
#include "paretofl/wire/message.h"
#include "paretofl/wire/sendable.h"

namespace paretofl {
namespace {

/// Sends envelopes to the followers and gathers their replies. Each follower has a few envelopes under way
/// at any time: enough to keep its threads busy, and memory does not grow with the number of clients.
class MpiLeader : public Runtime {
 public:
  explicit MpiLeader(std::size_t threads) : window_(threads + 1) { job_.set_open(true); }

  ~MpiLeader() override {
    for (int rank = 1; rank < job_.ranks(); ++rank) {
      MpiFrame stop;
      stop.header = {MpiFrame::kStop, 0};
      stop.post_send(rank);
      job_.wait(stop);
    }
    job_.set_open(false);
  }

  void expect_same(const Texts& texts) override { job_.expect_same(texts); }

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply) override {
    Exchange exchange;
    exchange.replies.resize(envelopes.size());
    RepliesInOrder replies(exchange.replies, on_reply, envelopes, window_ * static_cast<std::size_t>(job_.ranks() - 1));
    std::vector<Follower> followers(static_cast<std::size_t>(job_.ranks() - 1));
    for (std::size_t i = 0; i < followers.size(); ++i) followers[i].rank = static_cast<int>(i) + 1;
    for (std::size_t i = 0; i < envelopes.size(); ++i) {
      const int client = envelopes[i].client;
      expect(client >= 0, "runtime mpi: expected a client id of at least 0, found {}", client);
      followers[static_cast<std::size_t>(client) % followers.size()].envelopes.push_back(i);
      exchange.bytes_down += encoded_size(envelopes[i]);
    }
    try {
      PollPause pause;
      while (std::any_of(followers.begin(), followers.end(), [](const Follower& follower) { return follower.busy(); })) {
        bool moved = false;
        for (Follower& follower : followers) moved = advance(follower, envelopes, exchange, replies) || moved;
        moved ? pause.reset() : pause();
      }
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
    replies.finish();
    return exchange;
  }

 private:
  struct Follower {
    int rank = 0;
    std::vector<std::size_t> envelopes;  ///< which of the exchange's are for it
    std::size_t sent = 0;
    std::size_t answered = 0;
    std::list<MpiFrame> sending;
    std::list<MpiFrame> receiving;  ///< the next reply: none or one
    bool has_header = false;

    bool busy() const { return answered < envelopes.size() || !sending.empty(); }
  };

  /// Does what can be done for a follower without waiting; returns whether there was anything.
  bool advance(Follower& follower, std::span<const Envelope> envelopes, Exchange& exchange, RepliesInOrder& replies) {
    bool moved = std::erase_if(follower.sending, [](MpiFrame& frame) { return frame.done(); }) > 0;
    if (follower.sent < follower.envelopes.size() && follower.sent - follower.answered < window_ &&
        replies.may_start(follower.envelopes[follower.sent])) {
      const std::size_t index = follower.envelopes[follower.sent++];
      MpiFrame& frame = follower.sending.emplace_back();
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
    MpiFrame& frame = follower.receiving.front();
    if (!frame.done()) return moved;
    if (!follower.has_header) {
      follower.has_header = true;
      frame.post_bytes_receive(follower.rank);
      return true;
    }
    accept(frame, envelopes, exchange, replies);
    follower.receiving.clear();
    ++follower.answered;
    return true;
  }

  static void accept(const MpiFrame& frame, std::span<const Envelope> envelopes, Exchange& exchange, RepliesInOrder& replies) {
    Reply reply = decode_reply(frame.bytes);
    expect(frame.index() < envelopes.size() && reply.client == envelopes[frame.index()].client,
           "expected the reply to a request of this exchange, found one of client {} to request {}", reply.client, frame.index());
    if (!reply.error) exchange.bytes_up += frame.bytes.size();
    replies.arrived(frame.index(), std::move(reply));
  }

  MpiJob& job_ = MpiJob::get();
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

  Exchange exchange(std::span<const Envelope>, const OnReply&) override {
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
      MpiFrame frame;
      while (receive(frame)) {
        const Envelope envelope = decode_envelope(std::exchange(frame.bytes, {}));
        frame.bytes = encode(sendable(host_.handle(envelope)));
        frame.header[1] = frame.bytes.size();
        {
          const std::lock_guard lock(job_.mutex());
          frame.post_send(kMpiLeader);
        }
        job_.wait(frame);
      }
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
  }

  /// The threads take turns to wait for the next request. Returns false once the leader stops.
  bool receive(MpiFrame& frame) {
    const std::lock_guard turn(turn_);
    if (stopped_) return false;
    {
      const std::lock_guard lock(job_.mutex());
      frame.post_header_receive(kMpiLeader);
    }
    job_.wait(frame);
    stopped_ = frame.index() == MpiFrame::kStop;
    if (stopped_) return false;
    {
      const std::lock_guard lock(job_.mutex());
      frame.post_bytes_receive(kMpiLeader);
    }
    job_.wait(frame);
    return true;
  }

  MpiJob& job_ = MpiJob::get();
  ThreadPool& pool_;
  ClientHost host_;
  std::mutex turn_;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<Runtime> make_mpi_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory) {
  const MpiJob& job = MpiJob::get();
  expect(job.ranks() >= 2, "runtime mpi: expected a job of at least 2 ranks, such as mpirun -np 2 paretofl ..., found {}", job.ranks());
  if (job.rank() == kMpiLeader) {
    if (listens_everywhere()) {
      warn("runtime mpi: MPI listens on every network interface, and anyone who can connect can stop the run; docs/cli.md says what helps");
    }
    return std::make_unique<MpiLeader>(pool.threads());
  }
  return std::make_unique<MpiFollower>(pool, std::move(factory), options.dropout_rate);
}

}  // namespace paretofl
