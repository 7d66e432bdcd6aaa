#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "paretofl/core/runtime.h"

namespace paretofl {

/// Passes the replies of one exchange on in the envelopes' order, in whatever order they arrive and on whatever threads.
class RepliesInOrder {
 public:
  /// `replies` has room for all. Replies wait for at most `window` - 1 earlier ones, where threads wait for their turn.
  RepliesInOrder(std::vector<Reply>& replies, const OnReply& on_reply, std::size_t window);

  /// Waits until fewer than `window` replies from the first that is missing on, up to this one, are outstanding. Threads that take
  /// envelopes by ascending index never wait for each other in a circle.
  void wait_for_turn(std::size_t index);

  /// Stores a reply, and passes on those that none is missing before. After `on_reply` has thrown, it is not called again.
  void arrived(std::size_t index, Reply reply);

  /// Nobody waits any longer: a reply will not arrive.
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
