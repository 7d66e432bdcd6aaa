#include "paretofl/runtimes/replies_in_order.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace paretofl {
namespace {

constexpr std::size_t kWaitingNumbers = std::size_t{1} << 26U;  // float32 numbers of 256 MiB

}  // namespace

RepliesInOrder::RepliesInOrder(std::vector<Reply>& replies, const OnReply& on_reply, std::span<const Envelope> envelopes,
                               std::size_t threads)
    : replies_(replies), on_reply_(on_reply), window_(envelopes.size()), here_(replies.size()) {
  if (!on_reply || envelopes.empty()) return;
  const auto& parameters = envelopes.front().request.parameters;
  window_ = std::max(2 * threads, kWaitingNumbers / std::max<std::size_t>(1, parameters ? parameters->size() : 0));
}

bool RepliesInOrder::may_start(std::size_t index) {
  const std::lock_guard lock(mutex_);
  return index < next_ + window_;
}

void RepliesInOrder::wait_for_turn(std::size_t index) {
  std::unique_lock lock(mutex_);
  // glibc 2.36 can lose a wake-up (its bug 25847), so no wait is forever.
  while (!moved_.wait_for(lock, std::chrono::milliseconds(50), [&] { return index < next_ + window_; })) {
  }
}

void RepliesInOrder::arrived(std::size_t index, Reply reply) {
  std::unique_lock lock(mutex_);
  replies_[index] = std::move(reply);
  here_[index] = true;
  if (passing_) return;
  passing_ = true;
  while (next_ < here_.size() && here_[next_]) {
    Reply& first = replies_[next_];
    if (on_reply_ && !failure_) {
      lock.unlock();
      std::exception_ptr failure;
      try {
        on_reply_(first);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      failure_ = failure;
    }
    ++next_;
    moved_.notify_all();
  }
  passing_ = false;
}

void RepliesInOrder::stop_waiting() {
  {
    const std::lock_guard lock(mutex_);
    window_ = here_.size();
  }
  moved_.notify_all();
}

void RepliesInOrder::finish() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace paretofl
