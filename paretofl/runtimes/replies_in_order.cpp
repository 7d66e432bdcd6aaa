#include "paretofl/runtimes/replies_in_order.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace paretofl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kWaitingNumbers = std::size_t{1} << 26U;  // float32 numbers of 256 MiB

/// The end of an exchange that begins now. One that is too far away to be a point in time is never reached.
std::optional<Clock::time_point> end_of(const ExchangeLimits& limits) {
  constexpr std::chrono::hours kEver(24 * 365 * 100);
  if (!limits.deadline || *limits.deadline > kEver) return {};
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(*limits.deadline);
}

}  // namespace

RepliesInOrder::RepliesInOrder(std::vector<Reply>& replies, const OnReply& on_reply, std::span<const Envelope> envelopes,
                               std::size_t threads, const ExchangeLimits& limits)
    : replies_(replies),
      on_reply_(on_reply),
      window_(envelopes.size()),
      ends_(end_of(limits)),
      enough_(limits.enough),
      here_(replies.size()),
      missing_(replies.size()) {
  for (const Envelope& envelope : envelopes) clients_.push_back(envelope.client);
  if (!on_reply || envelopes.empty() || limits.may_end_early(envelopes.size())) return;
  const auto& parameters = envelopes.front().request.parameters;
  window_ = std::max(2 * threads, kWaitingNumbers / std::max<std::size_t>(1, parameters ? parameters->size() : 0));
}

bool RepliesInOrder::may_start(std::size_t index) {
  const std::lock_guard lock(mutex_);
  return index < next_ + window_;
}

bool RepliesInOrder::wait_for_turn(std::size_t index) {
  Lock lock(mutex_);
  // glibc 2.36 can lose a wake-up (its bug 25847), so no wait is forever.
  while (!moved_.wait_for(lock, std::chrono::milliseconds(50), [&] { return index < next_ + window_; })) {
  }
  end_if_due(lock);
  return !here_[index];
}

bool RepliesInOrder::arrived(std::size_t index, Reply reply) {
  Lock lock(mutex_);
  end_if_due(lock);
  if (here_[index]) return false;
  answered_ += reply.error ? 0 : 1;
  put(index, std::move(reply));
  answered_ == enough_ ? end(lock, Lateness::kEnough) : pass_on(lock);
  return true;
}

void RepliesInOrder::give_up(std::size_t index) {
  Lock lock(mutex_);
  if (here_[index]) return;
  put(index, Reply::late(clients_[index], Lateness::kDeadline));
  pass_on(lock);
}

bool RepliesInOrder::is_here(std::size_t index) {
  const std::lock_guard lock(mutex_);
  return here_[index];
}

bool RepliesInOrder::over() {
  Lock lock(mutex_);
  end_if_due(lock);
  return missing_ == 0;
}

bool RepliesInOrder::deadline_passed() const { return ends_ && Clock::now() >= *ends_; }

void RepliesInOrder::end_if_due(Lock& lock) {
  if (missing_ > 0 && deadline_passed()) end(lock, Lateness::kDeadline);
}

void RepliesInOrder::end(Lock& lock, Lateness why) {
  for (std::size_t i = 0; i < here_.size(); ++i) {
    if (!here_[i]) put(i, Reply::late(clients_[i], why));
  }
  pass_on(lock);
}

void RepliesInOrder::put(std::size_t index, Reply reply) {
  replies_[index] = std::move(reply);
  here_[index] = true;
  --missing_;
}

void RepliesInOrder::pass_on(Lock& lock) {
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
