#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "paretofl/core/runtime.h"

namespace paretofl {

/// Passes the replies of one exchange on in the envelopes' order, in whatever order they arrive and on whatever threads.
class RepliesInOrder {
 public:
  /// `replies` has room for the replies to all envelopes. While one of them is missing, the later ones that have arrived take memory: at
  /// most as many as there are threads times two, or as many as take about 256 MiB if each is as large as its envelope's parameters. There
  /// is no limit if `on_reply` is empty, because nothing is taken from the replies then.
  RepliesInOrder(std::vector<Reply>& replies, const OnReply& on_reply, std::span<const Envelope> envelopes, std::size_t threads);

  /// Whether the request of this index may start: whether it is near enough to the first reply that has not been passed on.
  bool may_start(std::size_t index);

  /// Waits until the request of this index may start. Threads that take requests by ascending index never wait for each other in a circle.
  void wait_for_turn(std::size_t index);

  /// Stores a reply, and passes on those that none is missing before. After `on_reply` has thrown, it is not called again.
  void arrived(std::size_t index, Reply reply);

  /// Lets all threads go on that wait, because a reply will not arrive.
  void stop_waiting();

  /// Rethrows what `on_reply` has thrown. To be called when all have arrived.
  void finish() const;

 private:
  std::vector<Reply>& replies_;
  const OnReply& on_reply_;
  std::size_t window_;
  std::mutex mutex_;
  std::condition_variable moved_;
  std::vector<bool> here_;
  std::size_t next_ = 0;  ///< the first that has not been passed on
  bool passing_ = false;  ///< whether a thread is doing it
  std::exception_ptr failure_;
};

}  // namespace paretofl
