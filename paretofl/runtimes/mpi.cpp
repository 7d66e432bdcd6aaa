#include "paretofl/runtimes/mpi.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <deque>
#include <mutex>

#include "paretofl/core/error.h"
#include "paretofl/core/explanation.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runtimes/listens_everywhere.h"
#include "paretofl/runtimes/mpi_job.h"
#include "paretofl/runtimes/mpi_link.h"
#include "paretofl/runtimes/poll_pause.h"
#include "paretofl/runtimes/replies_in_order.h"
#include "paretofl/runtimes/starting_order.h"
#include "paretofl/wire/message.h"
#include "paretofl/wire/sendable.h"

namespace paretofl {
namespace {

/// Sends envelopes to the followers and gathers their replies. Each follower has a few envelopes under way
/// at any time: enough to keep its threads busy, and memory does not grow with the number of clients.
class MpiLeader : public Runtime {
 public:
  MpiLeader(const RuntimeOptions& options, std::size_t threads) : options_(options), window_(threads + 1) {
    for (int rank = 1; rank < job_.ranks(); ++rank) links_.emplace_back(rank, window_);
    job_.set_open(true);
  }

  ~MpiLeader() override {
    job_.set_open(false);
    try {
      for (MpiLink& link : links_) link.send_stop();
      gather_farewells();
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
  }

  void expect_same(const Texts& texts) override { job_.expect_same(texts, Seconds(options_.patience_seconds)); }

  std::string launcher() const override { return fmt::format("mpirun -np {} ", job_.ranks()); }

  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    for (const Envelope& envelope : envelopes) {
      expect(envelope.client >= 0, "runtime mpi: expected a client id of at least 0, found {}", envelope.client);
      encoded_size(envelope);  // which throws before anything is sent
    }
    Exchange exchange;
    exchange.replies.resize(envelopes.size());
    ++exchange_;
    RepliesInOrder replies(exchange.replies, on_reply, envelopes, window_ * links_.size(), limits);
    try {
      std::vector<Waiting> waiting = begin_exchange(envelopes, limits, replies);
      PollPause pause;
      while (!replies.over()) {
        bool moved = false;
        for (std::size_t i = 0; i < links_.size(); ++i) {
          send_some(links_[i], waiting[i], envelopes, exchange, replies, moved);
          if (const auto frame = links_[i].receive(moved)) accept(*frame, envelopes, exchange, replies);
        }
        moved ? pause.reset() : pause();
      }
      for (MpiLink& link : links_) link.end_exchange(replies.deadline_passed());
    } catch (const std::exception& failure) {
      job_.abort(explanation(failure));
    }
    replies.finish();
    return exchange;
  }

 private:
  using Seconds = std::chrono::duration<double>;
  using Waiting = std::deque<std::size_t>;  ///< which of an exchange's envelopes are still to be sent to a follower

  /// Deals the envelopes out. Those for followers that have been silent for a whole exchange are late at once, unless there is no other.
  std::vector<Waiting> begin_exchange(std::span<const Envelope> envelopes, const ExchangeLimits& limits, RepliesInOrder& replies) {
    std::vector<Waiting> waiting(links_.size());
    for (const std::size_t i : starting_order(envelopes, limits)) {
      waiting[static_cast<std::size_t>(envelopes[i].client) % links_.size()].push_back(i);
    }
    bool anybody = false;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      links_[i].begin_exchange();
      drop_late(links_[i]);
      anybody = anybody || (!links_[i].silent() && !waiting[i].empty());
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (!limits.deadline || !anybody || !links_[i].silent()) continue;
      for (const std::size_t index : waiting[i]) replies.give_up(index);
      waiting[i].clear();
    }
    return waiting;
  }

  /// Takes what a follower has sent since the last exchange.
  static void drop_late(MpiLink& link) {
    for (bool moved = true; moved;) {
      moved = false;
      link.receive(moved);
    }
  }

  void send_some(MpiLink& link, Waiting& waiting, std::span<const Envelope> envelopes, Exchange& exchange, RepliesInOrder& replies,
                 bool& moved) const {
    while (!waiting.empty() && link.has_room() && replies.may_start(waiting.front())) {
      const std::size_t index = waiting.front();
      waiting.pop_front();
      if (replies.is_here(index)) continue;  // late
      std::vector<std::byte> bytes = encode(envelopes[index]);
      exchange.bytes_down += bytes.size();
      link.send(exchange_, index, std::move(bytes));
      moved = true;
    }
  }

  void accept(const MpiFrame& frame, std::span<const Envelope> envelopes, Exchange& exchange, RepliesInOrder& replies) const {
    if (frame.exchange() < exchange_) return;  // late
    Reply reply = decode_reply(frame.bytes);
    expect(frame.exchange() == exchange_ && frame.index() < envelopes.size() && reply.client == envelopes[frame.index()].client,
           "expected the reply to a request of this exchange, found one of client {} to request {}", reply.client, frame.index());
    const bool failed = reply.error.has_value();
    if (replies.arrived(frame.index(), std::move(reply)) && !failed) exchange.bytes_up += frame.bytes.size();
  }

  /// Waits until all followers have said farewell: with patience, but for those that are silent under a deadline no longer than it.
  void gather_farewells() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<bool> gone(links_.size());
    PollPause pause;
    for (;;) {
      bool moved = false;
      bool all_silent = true;
      for (std::size_t i = 0; i < links_.size(); ++i) {
        if (gone[i]) continue;
        const auto frame = links_[i].receive(moved);
        gone[i] = frame && frame->index() == MpiFrame::kStop;
        all_silent = all_silent && (gone[i] || links_[i].silent());
      }
      const auto missing = std::find(gone.begin(), gone.end(), false);
      if (missing == gone.end()) return;
      const Seconds patience(all_silent ? std::min(options_.deadline_seconds, options_.patience_seconds) : options_.patience_seconds);
      if (std::chrono::steady_clock::now() - start > patience) {
        return job_.lose(links_[static_cast<std::size_t>(missing - gone.begin())].rank());
      }
      moved ? pause.reset() : pause();
    }
  }

  MpiJob& job_ = MpiJob::get();
  RuntimeOptions options_;
  std::size_t window_;
  std::vector<MpiLink> links_;
  std::uint64_t exchange_ = 0;  ///< the number of the last one
};

/// Hosts clients and answers the leader's requests on all threads of its pool.
class MpiFollower : public Runtime {
 public:
  MpiFollower(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory)
      : patience_(options.patience_seconds), pool_(pool), host_(std::move(factory), options.dropout_rate) {
    job_.set_open(true);
    // Ctrl-C and a terminal that goes away reach every rank, from mpirun as SIGTERM: the leader finishes its round, for which it needs
    // the others.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
  }

  Exchange exchange(std::span<const Envelope>, const OnReply&, const ExchangeLimits&) override {
    throw Error(fmt::format("runtime mpi: expected exchanges on rank 0 only, found one on rank {}", job_.rank()));
  }

  void expect_same(const Texts& texts) override { job_.expect_same(texts, patience_); }

  bool leads() const override { return false; }

  void follow() override {
    stopped_ = false;
    pool_.for_each(pool_.threads(), [this](std::size_t) { serve(); });
    job_.send_farewell();
    job_.set_open(false);
  }

 private:
  void serve() {
    try {
      MpiFrame frame;
      while (receive(frame)) {
        const Envelope envelope = decode_envelope(std::exchange(frame.bytes, {}));
        // Nobody waits for the answer to a request of an exchange that is over.
        if (frame.exchange() == newest_) frame.bytes = encode(sendable(host_.handle(envelope)));
        frame.header[2] = frame.bytes.size();
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
    newest_ = frame.exchange();
    {
      const std::lock_guard lock(job_.mutex());
      frame.post_bytes_receive(kMpiLeader);
    }
    job_.wait(frame);
    return true;
  }

  MpiJob& job_ = MpiJob::get();
  std::chrono::duration<double> patience_;
  ThreadPool& pool_;
  ClientHost host_;
  std::mutex turn_;
  std::atomic<std::uint64_t> newest_ = 0;  ///< the exchange of the last request that came
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
    return std::make_unique<MpiLeader>(options, pool.threads());
  }
  return std::make_unique<MpiFollower>(options, pool, std::move(factory));
}

}  // namespace paretofl
