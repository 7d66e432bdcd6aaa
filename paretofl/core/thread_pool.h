#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace paretofl {

/// A fixed set of threads that share loops. Each item runs on one thread with one intra-op thread.
class ThreadPool {
 public:
  /// `threads` >= 1 in total: the calling thread works too.
  /// Throws Error if the system gives no more of them.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  /// Calls body(0) .. body(count - 1), each once, on any thread, in any order; returns when all are
  /// done and rethrows the exception of the lowest index, if any. One loop at a time.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  void work();
  void stop();
  void take_items();
  void wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& ready);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* body_ = nullptr;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t running_ = 0;
  std::size_t failed_index_ = 0;
  std::exception_ptr failure_;
  bool stopping_ = false;
};

}  // namespace paretofl
