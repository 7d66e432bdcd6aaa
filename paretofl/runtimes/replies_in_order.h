#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "paretofl/core/runtime.h"

namespace paretofl {

/// The replies of one exchange, in whatever order they arrive and on whatever threads: passes them on in the envelopes' order, and ends the
/// exchange by its limits, which is where all runtimes have that from.
class RepliesInOrder {
 public:
  /// The exchange begins now. `replies` has room for the replies to all envelopes. While one of them is missing, the later ones that have
  /// arrived take memory: at most as many as there are threads times two, or as many as take about 256 MiB if each is as large as its
  /// envelope's parameters. There is no limit if `on_reply` is empty, because nothing is taken from the replies then, and none if the
  /// exchange may end early, because nobody should be late for want of memory. The references must outlive the object.
  RepliesInOrder(std::vector<Reply>& replies, const OnReply& on_reply, std::span<const Envelope> envelopes, std::size_t threads,
                 const ExchangeLimits& limits);

  /// Whether the request of this index may start: whether it is near enough to the first reply that has not been passed on.
  bool may_start(std::size_t index);

  /// Waits until the request of this index may start. Returns false if its reply is late already, so that it need not start. Threads that
  /// take requests by ascending index never wait for each other in a circle.
  bool wait_for_turn(std::size_t index);

  /// Stores a reply, and passes on those that none is missing before. After `on_reply` has thrown, it is not called again. Returns false
  /// and drops the reply if it is late.
  bool arrived(std::size_t index, Reply reply);

  /// Declares the reply of this index late, as if the deadline had passed for it.
  void give_up(std::size_t index);

  /// Whether this reply is there, or late.
  bool is_here(std::size_t index);

  /// Whether no reply is missing: all have arrived or, after the deadline or enough answers, are late.
  bool over();

  /// Whether there is a deadline and it has passed.
  bool deadline_passed() const;

  /// Lets all threads go on that wait, because a reply will not arrive.
  void stop_waiting();

  /// Rethrows what `on_reply` has thrown. To be called when the exchange is over.
  void finish() const;

 private:
  using Lock = std::unique_lock<std::mutex>;

  void end_if_due(Lock& lock);
  void end(Lock& lock, Lateness why);
  void put(std::size_t index, Reply reply);
  void pass_on(Lock& lock);

  std::vector<Reply>& replies_;
  OnReply on_reply_;
  std::vector<int> clients_;
  std::size_t window_;
  std::optional<std::chrono::steady_clock::time_point> ends_;
  std::size_t enough_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::vector<bool> here_;
  std::size_t missing_;
  std::size_t answered_ = 0;
  std::size_t next_ = 0;  ///< the first that has not been passed on
  bool passing_ = false;  ///< whether a thread is doing it
  std::exception_ptr failure_;
};

}  // namespace paretofl
